package io.kvroute.twin;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The off-heap manager agrees with the naive one in everything, after every random operation. */
class TwinTest {
  private static final int OPERATIONS = Integer.getInteger("kvroute.twin.operations", 10_000);

  @Test
  void shouldAgreeWithTheNaiveManagerAfterEveryOperation() {
    new TwinDriver(RealSubject::new).run(20_260_701L, OPERATIONS);
  }

  @Test
  void shouldKeepEveryPageWithOneOwnerInAPoolOfSixtyFourPages() {
    new TwinDriver(RealSubject::new).run(64L, OPERATIONS, 64);
  }

  @Test
  @Tag("long")
  void shouldAgreeWithTheNaiveManagerOverManyOperations() {
    new TwinDriver(RealSubject::new).run(77L, Math.max(100_000, OPERATIONS));
  }

  @Test
  void shouldReplayTheOperationsThatAFailurePrints() {
    final TwinDriver driver = new TwinDriver(TwinTest::withoutAbort);
    final AssertionError failure = assertThrows(AssertionError.class, () -> driver.run(1L, 10_000));
    final String message = failure.getMessage();
    assertTrue(message.contains("seed="), message);
    final String script = message.substring(message.indexOf("replay:") + "replay:".length());
    assertTrue(script.strip().lines().count() <= 6, message);
    assertThrows(AssertionError.class, () -> driver.replay(script));
    new TwinDriver(NaiveSubject::new).replay(script);
  }

  /** A manager with a mistake: it forgets to abort. */
  private static KvSubject withoutAbort(final KvSubject.Config config) {
    final NaiveSubject subject = new NaiveSubject(config);
    return (KvSubject)
        Proxy.newProxyInstance(
            TwinTest.class.getClassLoader(),
            new Class<?>[] {KvSubject.class},
            (proxy, method, arguments) ->
                method.getName().equals("abort")
                    ? (Object) true
                    : call(subject, method, arguments));
  }

  private static Object call(final KvSubject subject, final Method method, final Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(subject, arguments);
    } catch (final InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
