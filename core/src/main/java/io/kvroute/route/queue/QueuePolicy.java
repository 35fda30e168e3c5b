package io.kvroute.route.queue;

import io.kvroute.route.queue.QueuePolicyException.Fault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Which classes there are, and which of them a request belongs to: the one that it names, or else
 * that of its family (named by the request, or the default) for the bucket of its uncached tokens.
 * Immutable, thread-safe. Classifying allocates nothing.
 */
public final class QueuePolicy {
  /** Name of the only class where there is no policy of several. */
  public static final String DEFAULT_CLASS = "default";

  private static final int NONE = -1;

  private final List<QueueClass> classes;
  private final QueueClass[] byIndex;
  private final long[] bucketMinTokens;
  private final Map<String, Integer> explicit = new HashMap<>();
  private final Map<String, int[]> families = new HashMap<>();
  private final int[] defaultFamily;

  private QueuePolicy(final QueueClass only) {
    classes = List.of(only);
    byIndex = new QueueClass[] {only};
    bucketMinTokens = new long[] {0};
    defaultFamily = new int[] {0};
  }

  private QueuePolicy(final Builder builder) {
    classes = List.copyOf(builder.classes);
    byIndex = classes.toArray(new QueueClass[0]);
    bucketMinTokens = builder.bucketMinTokens.stream().mapToLong(Long::longValue).toArray();
    for (int i = 0; i < byIndex.length; i++) {
      final QueueClass each = byIndex[i];
      if (each.family() == null) {
        explicit.put(each.name(), i);
      } else {
        families
                .computeIfAbsent(each.family(), name -> new int[bucketMinTokens.length])[
                builder.buckets.indexOf(each.bucket())] =
            i;
      }
    }
    defaultFamily = families.get(builder.defaultFamily);
  }

  /**
   * One class for all requests, which has the name {@link #DEFAULT_CLASS} and quantum 1.
   *
   * @param discipline the order, any
   * @param busyThresholdFrac batches of prefill beyond which a rank is busy; NaN: nothing is ever
   *     parked
   * @throws QueuePolicyException if the threshold is negative or infinite
   */
  public static QueuePolicy single(
      final QueueDiscipline discipline, final double busyThresholdFrac) {
    final QueueClass.Builder builder =
        QueueClass.builder(DEFAULT_CLASS).discipline(discipline).withoutThreshold();
    if (!Double.isNaN(busyThresholdFrac)) {
      builder.busyThresholdFrac(busyThresholdFrac);
    }
    return of(builder.build());
  }

  /** One class for all requests. */
  public static QueuePolicy of(final QueueClass only) {
    return new QueuePolicy(Objects.requireNonNull(only, "only"));
  }

  /** Starts the making of a policy of several classes. */
  public static Builder builder() {
    return new Builder();
  }

  /** Its classes, in their order. */
  public List<QueueClass> classes() {
    return classes;
  }

  /** How many classes there are. */
  public int classCount() {
    return byIndex.length;
  }

  /** The class with a number, 0 to classCount-1. */
  public QueueClass classAt(final int index) {
    return byIndex[index];
  }

  /** False if the class of a request follows from what it names, whatever is cached of it. */
  public boolean dependsOnCachedTokens(final String policyClass) {
    return !families.isEmpty() && explicitClass(policyClass) == NONE;
  }

  /**
   * The number of the class of a request.
   *
   * @param policyClass a class without a family, or a family; any other name, or null, stands for
   *     the default family
   * @param uncachedTokens input tokens less the most that any rank holds, unsigned 64-bit
   */
  public int classOf(final String policyClass, final long uncachedTokens) {
    final int named = explicitClass(policyClass);
    if (named != NONE) {
      return named;
    }
    final int[] family = policyClass == null ? null : families.get(policyClass);
    return (family == null ? defaultFamily : family)[bucket(uncachedTokens)];
  }

  private int explicitClass(final String policyClass) {
    final Integer index = policyClass == null ? null : explicit.get(policyClass);
    return index == null ? NONE : index;
  }

  private int bucket(final long uncachedTokens) {
    int bucket = bucketMinTokens.length - 1;
    while (bucket > 0 && Long.compareUnsigned(bucketMinTokens[bucket], uncachedTokens) > 0) {
      bucket--;
    }
    return bucket;
  }

  /** What a policy of several classes is made of. */
  public static final class Builder {
    private final List<QueueClass> classes = new ArrayList<>();
    private final List<String> buckets = new ArrayList<>();
    private final List<Long> bucketMinTokens = new ArrayList<>();
    private String defaultFamily = "";

    private Builder() {}

    /** The family of requests that name none. */
    public Builder defaultFamily(final String value) {
      defaultFamily = Objects.requireNonNull(value, "defaultFamily");
      return this;
    }

    /**
     * Adds a bucket: it is for requests with at least so many uncached tokens, and fewer than the
     * next bucket asks for.
     *
     * @param minTokens unsigned 64-bit; 0 for the first bucket, then ever more
     * @param name of the bucket
     */
    public Builder bucket(final long minTokens, final String name) {
      bucketMinTokens.add(minTokens);
      buckets.add(Objects.requireNonNull(name, "name"));
      return this;
    }

    /** Adds a class. */
    public Builder add(final QueueClass value) {
      classes.add(Objects.requireNonNull(value, "class"));
      return this;
    }

    /**
     * Makes the policy.
     *
     * @throws QueuePolicyException if it cannot be; its fault says why
     */
    public QueuePolicy build() {
      checkBuckets();
      if (classes.isEmpty()) {
        throw new QueuePolicyException(Fault.NO_CLASSES, "policy has no class");
      }
      final Set<String> families = new HashSet<>();
      checkClasses(families);
      if (!families.contains(defaultFamily)) {
        throw new QueuePolicyException(
            Fault.UNKNOWN_DEFAULT_FAMILY,
            "no class is of the default family: defaultFamily=" + defaultFamily);
      }
      for (final QueueClass each : classes) {
        if (each.family() == null && families.contains(each.name())) {
          throw fault(Fault.CLASS_NAMED_LIKE_FAMILY, "class has the name of a family", each);
        }
      }
      checkComplete(families);
      return new QueuePolicy(this);
    }

    private void checkBuckets() {
      if (buckets.isEmpty()) {
        throw new QueuePolicyException(Fault.NO_BUCKETS, "policy has no bucket");
      }
      if (bucketMinTokens.get(0) != 0) {
        throw bucketFault(Fault.FIRST_BUCKET_NOT_ZERO, "first bucket must start at 0", 0);
      }
      for (int i = 0; i < buckets.size(); i++) {
        Identifiers.require("bucket", buckets.get(i));
        if (i > 0
            && Long.compareUnsigned(bucketMinTokens.get(i - 1), bucketMinTokens.get(i)) >= 0) {
          throw bucketFault(Fault.BUCKETS_NOT_INCREASING, "buckets must start at ever more", i);
        }
        if (buckets.indexOf(buckets.get(i)) != i) {
          throw bucketFault(Fault.DUPLICATE_BUCKET, "two buckets have one name", i);
        }
      }
    }

    private QueuePolicyException bucketFault(final Fault fault, final String message, final int i) {
      return new QueuePolicyException(
          fault,
          message
              + ": bucket="
              + buckets.get(i)
              + " minTokens="
              + Long.toUnsignedString(bucketMinTokens.get(i)));
    }

    private void checkClasses(final Set<String> families) {
      final Set<String> names = new HashSet<>();
      final Set<String> places = new HashSet<>();
      for (final QueueClass each : classes) {
        if (!names.add(each.name())) {
          throw fault(Fault.DUPLICATE_CLASS, "two classes have one name", each);
        }
        if (each.discipline() == QueueDiscipline.LCFS) {
          throw fault(Fault.DISCIPLINE_NOT_ALLOWED, "only fcfs and wspt may be chosen: lcfs", each);
        }
        if (each.family() != null) {
          families.add(each.family());
          if (!buckets.contains(each.bucket())) {
            throw fault(Fault.UNKNOWN_BUCKET, "no such bucket: bucket=" + each.bucket(), each);
          }
          if (!places.add(each.family() + '/' + each.bucket())) {
            throw fault(Fault.DUPLICATE_PLACE, "two classes have one family and bucket", each);
          }
        }
      }
    }

    private void checkComplete(final Set<String> families) {
      for (final String family : families.stream().sorted().toList()) {
        for (final String bucket : buckets) {
          if (classes.stream()
              .noneMatch(each -> family.equals(each.family()) && bucket.equals(each.bucket()))) {
            throw new QueuePolicyException(
                Fault.MISSING_CLASS,
                "family has no class for a bucket: family=" + family + " bucket=" + bucket);
          }
        }
      }
    }

    private static QueuePolicyException fault(
        final Fault fault, final String message, final QueueClass at) {
      return new QueuePolicyException(fault, message + " class=" + at.name());
    }
  }
}
