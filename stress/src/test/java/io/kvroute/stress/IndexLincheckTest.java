package io.kvroute.stress;

import io.kvroute.index.IndexReader;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Every history of one writer and two readers is one of the operations done one after another. */
public class IndexLincheckTest {
  private final Subject subject = new Subject(30);

  /** Stores a path; the second one of two separate paths evicts the end of the first. */
  @Operation(nonParallelGroup = "writer")
  public void storeFirst() {
    subject.store(1, 10, 0, Subject.LENGTH);
  }

  @Operation(nonParallelGroup = "writer")
  public void storeSecond() {
    subject.store(2, 11, 0, Subject.LENGTH);
  }

  @Operation(nonParallelGroup = "writer")
  public void removeSecond() {
    subject.remove(2, 11, 3, Subject.LENGTH);
  }

  @Operation(nonParallelGroup = "writer")
  public void forgetFirst() {
    subject.removeWorker(1);
  }

  @Operation
  public int findFirst() {
    try (IndexReader reader = subject.newReader()) {
      return Subject.find(reader, 10);
    }
  }

  @Operation
  public int findSecond() {
    try (IndexReader reader = subject.newReader()) {
      return Subject.find(reader, 11);
    }
  }

  @Test
  void shouldBeLinearizable() {
    new StressOptions()
        .iterations(30)
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1)
        .check(IndexLincheckTest.class);
  }
}
