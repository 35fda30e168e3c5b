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
 * There is room for one and a half paths. Storing a second one evicts the end of the first, in the
 * same event; then the worker that held the first is forgotten.
 */
@JCStressTest
@Outcome(id = "2000, 2000, 0", expect = ACCEPTABLE, desc = "both looked before")
@Outcome(id = "2000, 1000, 0", expect = ACCEPTABLE, desc = "the eviction came between")
@Outcome(id = "1000, 1000, 0", expect = ACCEPTABLE, desc = "both looked between the two")
@Outcome(id = "2000, 0, 0", expect = ACCEPTABLE, desc = "both changes came between")
@Outcome(id = "1000, 0, 0", expect = ACCEPTABLE, desc = "the worker was forgotten between")
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "both looked after")
@Outcome(expect = FORBIDDEN, desc = "an eviction was seen half done")
@State
public class EvictUnderReaders {
  private final Subject subject = new Subject(30);
  private final IndexReader reader = subject.newReader();

  /** Stores the first path. */
  public EvictUnderReaders() {
    subject.store(1, 10, 0, Subject.LENGTH);
  }

  /** Stores the second one, and forgets who held the first. */
  @Actor
  public void writer() {
    subject.store(2, 11, 0, Subject.LENGTH);
    subject.removeWorker(1);
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
