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
 * A branch splits the edge that a reader walks along, and its removal joins the parts again. What
 * is held does not change by that, so the reader must not notice.
 */
@JCStressTest
@Outcome(id = "2010, 2010, 2010", expect = ACCEPTABLE, desc = "nothing to notice")
@Outcome(id = "2000, 2010, 2010", expect = ACCEPTABLE, desc = "the second worker came between")
@Outcome(id = "2000, 2000, 2010", expect = ACCEPTABLE, desc = "the second worker came later")
@Outcome(expect = FORBIDDEN, desc = "a split was seen half done")
@State
public class SplitUnderReaders {
  private final Subject subject = new Subject(64);
  private final IndexReader reader = subject.newReader();

  /** Stores the path. */
  public SplitUnderReaders() {
    subject.store(1, 1, 0, Subject.LENGTH);
  }

  /** Makes the branch, and takes its end away again. */
  @Actor
  public void writer() {
    subject.store(2, 2, 0, Subject.LENGTH);
    subject.remove(2, 2, Subject.LENGTH / 2, Subject.LENGTH);
  }

  /** Looks twice. */
  @Actor
  public void reader(final III_Result result) {
    result.r1 = Subject.find(reader, 1);
    result.r2 = Subject.find(reader, 1);
  }

  /** Looks when all is over. */
  @Arbiter
  public void end(final III_Result result) {
    result.r3 = Subject.find(reader, 1);
    reader.close();
    subject.close();
  }
}
