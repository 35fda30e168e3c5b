package io.kvroute.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.kvroute.index.IndexReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A path is removed while a reader looks it up, and its memory is used at once for another path.
 * The reader sees all of the path or nothing, and never gets it back.
 */
@JCStressTest
@Outcome(id = "2000, 2000, 0", expect = ACCEPTABLE, desc = "both looked before the removal")
@Outcome(id = "2000, 0, 0", expect = ACCEPTABLE, desc = "the removal came between")
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "both looked after the removal")
@Outcome(expect = FORBIDDEN, desc = "torn, or back from the dead")
@State
public class RemoveUnderReaders {
  private final Subject subject = new Subject(32);
  private final IndexReader reader = subject.newReader();

  /** Stores the path. */
  public RemoveUnderReaders() {
    subject.store(1, 10, 0, Subject.LENGTH);
  }

  /** Removes it and stores another one. */
  @Actor
  public void writer() {
    subject.remove(1, 10, 0, Subject.LENGTH);
    subject.store(2, 11, 0, Subject.LENGTH);
  }

  /** Looks twice. */
  @Actor
  public void reader(final III_Result result) {
    result.r1 = Subject.find(reader, 10);
    result.r2 = Subject.find(reader, 10);
  }

  /** Looks when all is over. */
  @Arbiter
  public void end(final III_Result result) {
    result.r3 = Subject.find(reader, 10);
    reader.close();
    subject.close();
  }
}
