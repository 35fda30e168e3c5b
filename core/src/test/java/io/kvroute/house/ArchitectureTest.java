package io.kvroute.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may depend on whom. */
@AnalyzeClasses(packages = "io.kvroute", importOptions = ArchitectureTest.MainClasses.class)
final class ArchitectureTest {
  /** Leaves test classes out, whatever folder the build writes to. */
  static final class MainClasses implements ImportOption {
    @Override
    public boolean includes(final Location location) {
      return !location.contains("/test-classes/");
    }
  }

  private static final String MEMORY = "io.kvroute.memory";
  private static final String HASH = "io.kvroute.hash";
  private static final String PROTOCOL = "io.kvroute.protocol";
  private static final String JSON = "io.kvroute.protocol.json";
  private static final String CACHE = "io.kvroute.cache";
  private static final String ENGINE = "io.kvroute.engine";
  private static final String INDEX = "io.kvroute.index";
  private static final String LOAD = "io.kvroute.load";
  private static final String ROUTE = "io.kvroute.route";
  private static final String QUEUE = "io.kvroute.route.queue";

  @ArchTest
  static final ArchRule everyClassHasItsPlace =
      classes()
          .should()
          .resideInAnyPackage(
              MEMORY, HASH, PROTOCOL, JSON, CACHE, ENGINE, INDEX, LOAD, ROUTE, QUEUE);

  @ArchTest static final ArchRule memoryKnowsNobody = mayUse(MEMORY);

  @ArchTest static final ArchRule hashKnowsMemory = mayUse(HASH, MEMORY);

  @ArchTest static final ArchRule protocolKnowsHash = mayUse(PROTOCOL, MEMORY, HASH);

  @ArchTest static final ArchRule jsonKnowsProtocol = mayUse(JSON, MEMORY, HASH, PROTOCOL);

  @ArchTest static final ArchRule cacheKnowsProtocol = mayUse(CACHE, MEMORY, HASH, PROTOCOL);

  @ArchTest
  static final ArchRule engineKnowsCacheAndNotIndex = mayUse(ENGINE, MEMORY, HASH, PROTOCOL, CACHE);

  @ArchTest
  static final ArchRule indexKnowsProtocolAndNotEngine = mayUse(INDEX, MEMORY, HASH, PROTOCOL);

  @ArchTest
  static final ArchRule loadKnowsIndexAndNotRoute = mayUse(LOAD, MEMORY, HASH, PROTOCOL, INDEX);

  @ArchTest
  static final ArchRule routeKnowsAllBelowAndNotEngine =
      mayUse(ROUTE, MEMORY, HASH, PROTOCOL, INDEX, LOAD, QUEUE);

  @ArchTest
  static final ArchRule onlyJsonUsesJackson =
      noClasses()
          .that()
          .resideOutsideOfPackage(JSON)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.fasterxml..");

  @ArchTest
  static final ArchRule nothingButTheJdkAndAgronaIsNeeded =
      classes()
          .that()
          .resideOutsideOfPackage(JSON)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("io.kvroute..", "java.lang..", "java.nio..", "java.util..")
                  .or(resideInAnyPackage("java.io", "java.math", "java.time", "org.agrona.."))
                  .or(primitiveOrArray()));

  @ArchTest
  static final ArchRule rawMemoryIsForMemoryAndKernels =
      noClasses()
          .that()
          .resideOutsideOfPackages(MEMORY, HASH)
          // Reads a caller's array or buffer of hashes, whichever it is, through one code path.
          .and()
          .doNotHaveFullyQualifiedName("io.kvroute.index.HashList")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.agrona.UnsafeApi");

  @ArchTest
  static final ArchRule layoutsAreHidden =
      classes()
          .that()
          .haveSimpleNameEndingWith("Layout")
          .should()
          .bePackagePrivate()
          .andShould()
          .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL);

  @ArchTest
  static final ArchRule noClockAndNoChanceOfItsOwn =
      noClasses()
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.Random")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom");

  @ArchTest
  static final ArchRule nothingIsPrinted =
      noClasses()
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  @ArchTest
  static final ArchRule ownErrorsAreUnchecked =
      classes()
          .that()
          .areAssignableTo(Exception.class)
          .should()
          .beAssignableTo(RuntimeException.class);

  private static ArchRule mayUse(final String owner, final String... others) {
    return noClasses()
        .that()
        .resideInAPackage(owner)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.kvroute..")
                .and(not(resideInAnyPackage(others)))
                .and(not(resideInAPackage(owner))))
        .allowEmptyShould(true);
  }

  private static DescribedPredicate<JavaClass> primitiveOrArray() {
    return DescribedPredicate.describe(
        "are primitive or arrays", type -> type.isPrimitive() || type.isArray());
  }
}
