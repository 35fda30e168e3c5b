package io.kvroute.route.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.AllocationMeter;
import io.kvroute.memory.SeededRun;
import io.kvroute.protocol.QueueLimitKind;
import io.kvroute.protocol.QueueRejection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class PolicyQueueTest {
  private static final int CAPACITY = 1000;

  private static final class Item extends QueuedRequest {
    final String name;

    Item(final String name) {
      this.name = name;
    }
  }

  private final Map<String, Item> items = new HashMap<>();
  private PolicyQueue<Item> queue = queue(QueueDiscipline.FCFS);

  private static PolicyQueue<Item> queue(final QueueDiscipline discipline) {
    return new PolicyQueue<>(QueuePolicy.single(discipline, 1.0), CAPACITY);
  }

  /** Classes with these quanta. */
  private static PolicyQueue<Item> queue(final long... quanta) {
    final QueuePolicy.Builder builder = QueuePolicy.builder().defaultFamily("f");
    for (int i = 0; i < quanta.length; i++) {
      builder.bucket(i, "b" + i);
      builder.add(
          QueueClass.builder("c" + i).quantum(quanta[i]).family("f").bucket("b" + i).build());
    }
    return new PolicyQueue<>(builder.build(), CAPACITY);
  }

  private static PolicyQueue<Item> capped(final QueueClass.Builder builder) {
    return new PolicyQueue<>(QueuePolicy.of(builder.build()), CAPACITY);
  }

  private Item item(final String name) {
    return items.computeIfAbsent(name, Item::new);
  }

  private void park(
      final String name, final double arrival, final double jump, final int strictPriority) {
    assertNull(queue.enqueue(item(name), 0, 1, 10, 0, arrival, jump, strictPriority));
  }

  private void parkIn(final int at, final String name, final long tokens) {
    assertNull(queue.enqueue(item(name), at, 1, tokens, 0, 0, 0, 0));
  }

  private QueueRejection enqueue(
      final String name, final long workers, final long isl, final long cached) {
    return queue.enqueue(item(name), 0, workers, isl, cached, 0, 0, 0);
  }

  private String pop(final Integer... blockedClasses) {
    final Set<Integer> blocked = Set.of(blockedClasses);
    final Item item = queue.pop((at, head) -> !blocked.contains(at));
    return item == null ? "-" : item.name;
  }

  private String popAll() {
    final StringBuilder names = new StringBuilder();
    for (String name = pop(); !name.equals("-"); name = pop()) {
      names.append(name);
    }
    return names.toString();
  }

  // ------ order within a class

  @Test
  void shouldServeTheFirstToComeFirstAndCountAJumpAsAHeadStartInSeconds() {
    park("b", 3, 0, 0);
    park("a", 1, 0, 0);
    park("c", 5, 3, 0);
    park("d", 2, -9, 0);
    park("e", -7, 0, 0);
    assertEquals("eacdb", popAll());
  }

  @Test
  void shouldKeepTheOrderOfArrivalWhenScoresAreEqual() {
    for (final String name : List.of("a", "b", "c", "d", "e")) {
      park(name, -4, Double.NaN, 0);
    }
    assertEquals("abcde", popAll());
  }

  @Test
  void shouldPutStrictPriorityAboveAnyJump() {
    park("b", 0, 0, 0);
    park("c", 1, 0, 4);
    park("d", 2, 100, 0);
    park("e", 3, 0, -1);
    assertEquals("ecdb", popAll());
  }

  @Test
  void shouldServeTheLastToComeFirstWhenSaidSo() {
    queue = queue(QueueDiscipline.LCFS);
    park("a", 1, 0, 0);
    park("b", 2, 0, 0);
    park("c", 1.5, 1, 0);
    assertEquals("cba", popAll());
  }

  @Test
  void shouldServeTheShortestFirstByWhatIsNotCached() {
    queue = queue(QueueDiscipline.WSPT);
    assertNull(queue.enqueue(item("long"), 0, 1, 1000, 0, 0, 0, 0));
    assertNull(queue.enqueue(item("cached"), 0, 1, 1000, 950, 0, 0, 0));
    assertNull(queue.enqueue(item("weighted"), 0, 1, 400, 0, 0, 9, 0));
    assertNull(queue.enqueue(item("all"), 0, 1, 400, 500, 0, 0, 0));
    assertEquals(List.of("all", "weighted", "cached", "long"), List.of(pop(), pop(), pop(), pop()));
  }

  @Test
  void shouldServeAnOldRequestWithinTheHeadStartOfThoseThatJump() {
    park("b", 0, 0, 0);
    int turns = 0;
    for (int second = 1; item("b").isParked(); second++) {
      park("jump" + second, second, 100, 0);
      pop();
      turns++;
    }
    assertEquals(101, turns + 1);
  }

  // ------ between classes

  @Test
  void shouldShareByQuantaWhenAllCostTheSame() {
    queue = queue(3, 1);
    for (final String name : List.of("a", "b", "c", "d")) {
      parkIn(0, name, 6);
    }
    for (final String name : List.of("x", "y", "z")) {
      parkIn(1, name, 6);
    }
    assertEquals("abxcdyz", popAll());
  }

  @Test
  void shouldAdvanceAllClassesByTheFewestRoundsThatLetOnePay() {
    queue = queue(1, 1);
    parkIn(0, "a", 100);
    parkIn(1, "b", 70);
    parkIn(0, "c", 100);
    parkIn(1, "d", 70);
    assertEquals("b", pop());
    assertEquals(70, queue.deficit(0));
    assertEquals(0, queue.cursor());
    assertEquals("a", pop());
    assertEquals(30, queue.deficit(1));
    assertEquals("dc", popAll());
  }

  @Test
  void shouldKeepTheCursorAtAClassThatCanPayForItsNextHead() {
    queue = queue(100, 1);
    for (final String name : List.of("a", "b", "c", "d")) {
      parkIn(0, name, 30);
    }
    parkIn(1, "x", 1);
    parkIn(1, "y", 1);
    assertEquals("abcxdy", popAll());
  }

  @Test
  void shouldLetABlockedClassKeepWhatItHasAndEarnNothing() {
    queue = queue(10, 10);
    parkIn(0, "a", 25);
    parkIn(0, "b", 25);
    parkIn(1, "x", 5);
    parkIn(1, "y", 5);
    assertEquals("x", pop());
    assertEquals(10, queue.deficit(0));
    assertEquals("y", pop(0));
    assertEquals("-", pop(0));
    assertEquals(10, queue.deficit(0));
    assertEquals("ab", popAll());
  }

  @Test
  void shouldTestNothingButHeads() {
    parkIn(0, "a", 1);
    parkIn(0, "b", 1);
    final List<String> tested = new ArrayList<>();
    assertNull(
        queue.pop(
            (at, head) -> {
              tested.add(head.name);
              return !head.name.equals("a");
            }));
    assertEquals(List.of("a"), tested);
    assertEquals(2, queue.pendingCount());
  }

  @Test
  void shouldForgetWhatAClassHasEarnedWhenItBecomesEmpty() {
    queue = queue(50, 1);
    parkIn(0, "a", 10);
    parkIn(1, "x", 5);
    assertEquals("a", pop());
    assertEquals(0, queue.deficit(0));
    parkIn(0, "b", 20);
    assertTrue(queue.cancel(item("b")));
    assertEquals(0, queue.deficit(0));
    assertEquals("x", pop());
  }

  @Test
  void shouldBearTheLargestQuantum() {
    queue = queue(-1, 1);
    parkIn(0, "a", -1);
    parkIn(0, "b", 7);
    parkIn(1, "x", 7);
    assertEquals("abx", popAll());
  }

  // ------ caps

  @Test
  void shouldRejectWhenACapWasReachedBefore() {
    queue = capped(QueueClass.builder("a").rawIslTokenLimit(100));
    assertNull(enqueue("a", 2, 150, 0));
    assertNull(enqueue("b", 2, 150, 0));
    assertEquals(
        new QueueRejection("a", QueueLimitKind.RAW_ISL_TOKENS, 300, 200), enqueue("c", 2, 1, 0));
    assertNull(enqueue("c", 4, 1, 0));
    assertFalse(item("d").isParked());
  }

  @Test
  void shouldTestTheCapsInTheirOrder() {
    final QueueClass.Builder all =
        QueueClass.builder("a").requestLimit(9).rawIslTokenLimit(1).cachedTokenLimit(1);
    queue = capped(all);
    assertNull(enqueue("a", 1, 5, 5));
    assertEquals(
        new QueueRejection("a", QueueLimitKind.RAW_ISL_TOKENS, 5, 1), enqueue("b", 1, 5, 5));
    queue = capped(all.requestLimit(1));
    assertNull(enqueue("a2", 1, 5, 5));
    assertEquals(new QueueRejection("a", QueueLimitKind.REQUESTS, 1, 1), enqueue("b", 1, 5, 5));
    queue = capped(QueueClass.builder("a").cachedTokenLimit(5));
    assertNull(enqueue("a3", 1, 5, 9));
    assertEquals(
        new QueueRejection("a", QueueLimitKind.CACHED_TOKENS, 5, 5), enqueue("b", 1, 5, 5));
  }

  @Test
  void shouldRejectByAnyCapWhenThereAreNoWorkers() {
    queue = capped(QueueClass.builder("a").requestLimit(10));
    assertEquals(new QueueRejection("a", QueueLimitKind.REQUESTS, 0, 0), enqueue("a", 0, 1, 0));
    queue = capped(QueueClass.builder("a"));
    assertNull(enqueue("a", 0, 1, 0));
  }

  @Test
  void shouldSaturateACapThatIsScaledBeyondAllNumbers() {
    queue = capped(QueueClass.builder("a").rawIslTokenLimit(-1).requestLimit(1L << 62));
    assertNull(enqueue("a", -1, 5, 0));
    assertNull(enqueue("b", 3, 5, 0));
  }

  @Test
  void shouldRejectBeyondItsOwnCapacity() {
    queue = new PolicyQueue<>(QueuePolicy.single(QueueDiscipline.FCFS, 1.0), 2);
    assertNull(enqueue("a", 1, 1, 0));
    assertNull(enqueue("b", 1, 1, 0));
    assertEquals(
        new QueueRejection("default", QueueLimitKind.REQUESTS, 2, 2), enqueue("c", 1, 1, 0));
    pop();
    assertNull(enqueue("c", 1, 1, 0));
    assertThrows(IllegalStateException.class, () -> enqueue("c", 1, 1, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new PolicyQueue<Item>(QueuePolicy.single(QueueDiscipline.FCFS, 1.0), 0));
  }

  // ------ cancellation

  @Test
  void shouldTakeACancelledRequestOutAtOnceAndKeepTheOrderOfTheOthers() {
    for (int i = 0; i < 9; i++) {
      park(String.valueOf(i), i, 0, 0);
    }
    for (final String name : List.of("0", "4", "8")) {
      assertTrue(queue.cancel(item(name)));
      assertFalse(queue.cancel(item(name)));
      assertFalse(item(name).isParked());
    }
    assertEquals(6, queue.pendingCount());
    assertEquals(60, queue.pendingIslTokens());
    assertEquals(60, queue.pendingIslTokens(0));
    assertEquals("123567", popAll());
    assertEquals(0, queue.pendingIslTokens());
  }

  @Test
  void shouldNotCancelWhatIsParkedInAnotherQueue() {
    park("a", 0, 0, 0);
    assertFalse(queue(QueueDiscipline.FCFS).cancel(item("a")));
    assertTrue(item("a").isParked());
  }

  @Test
  void shouldGiveAllBackWhenCleared() {
    queue = queue(1, 1);
    parkIn(0, "a", 5);
    parkIn(1, "x", 5);
    parkIn(1, "y", 5);
    final List<String> taken = new ArrayList<>();
    queue.clear(item -> taken.add(item.name));
    assertEquals(Set.of("a", "x", "y"), Set.copyOf(taken));
    assertEquals(0, queue.pendingCount());
    assertEquals(0, queue.pendingIslTokens(1));
    assertEquals("-", pop());
  }

  @Test
  void shouldAllocateNothing() {
    final PolicyQueue<Item> shared = queue(5, 1, 9);
    final Item[] all = new Item[600];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Item("");
    }
    final PolicyQueue.HeadTest<Item> any = (at, head) -> true;
    final Runnable body =
        () -> {
          for (int i = 0; i < all.length; i++) {
            shared.enqueue(all[i], i % 3, 1, 5 + i % 70, i % 40, i, i % 11, i % 2);
          }
          for (int i = 0; i < all.length; i += 5) {
            shared.cancel(all[i]);
          }
          while (shared.pop(any) != null) {}
        };
    assertEquals(0, AllocationMeter.bytes(30, body));
    assertEquals(0, shared.pendingCount());
  }

  // ------ a naive twin

  private record Parked(Item item, long cost, double score, int strict, long sequence) {
    boolean goesBefore(final Parked other) {
      if (strict != other.strict) {
        return strict > other.strict;
      }
      return score != other.score ? score > other.score : sequence < other.sequence;
    }
  }

  private static final class Naive {
    final List<List<Parked>> classes =
        List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    final long[] quanta;
    final long[] deficits = new long[3];
    int cursor;

    Naive(final long... quanta) {
      this.quanta = quanta;
    }

    Parked head(final int at) {
      Parked head = null;
      for (final Parked each : classes.get(at)) {
        head = head == null || each.goesBefore(head) ? each : head;
      }
      return head;
    }

    void remove(final Item item) {
      for (int at = 0; at < 3; at++) {
        if (classes.get(at).removeIf(each -> each.item == item) && classes.get(at).isEmpty()) {
          deficits[at] = 0;
        }
      }
    }

    /** Round after round, one quantum at a time. */
    Item pop(final Set<Integer> blocked) {
      boolean carried = true;
      while (true) {
        boolean any = false;
        int payer = -1;
        for (int i = 0; i < 3; i++) {
          final int at = (cursor + i) % 3;
          final Parked head = head(at);
          if (head != null && !blocked.contains(at) && (payer < 0 || !carried)) {
            any = true;
            if (!carried || deficits[at] < head.cost) {
              deficits[at] += quanta[at];
            }
            if (payer < 0 && deficits[at] >= head.cost) {
              payer = at;
            }
          }
        }
        carried = false;
        if (payer >= 0) {
          return take(payer);
        }
        if (!any) {
          return null;
        }
      }
    }

    private Item take(final int at) {
      final Parked head = head(at);
      deficits[at] -= head.cost;
      remove(head.item);
      final Parked next = head(at);
      cursor = next != null && deficits[at] >= next.cost ? at : (at + 1) % 3;
      return head.item;
    }
  }

  private static void compareWithNaive(final long seed, final int operations) {
    final PolicyQueue<Item> queue = queue(7, 1, 20);
    final Naive naive = new Naive(7, 1, 20);
    final List<Item> parked = new ArrayList<>();
    SeededRun.run(
        seed,
        operations,
        run -> {
          final int what = run.below(10);
          if (what < 5) {
            final int at = run.below(3);
            final long isl = run.below(200);
            final long cached = run.below(100);
            final double arrival = run.below(50);
            final double jump = run.below(4) == 0 ? run.below(20) : 0;
            final int strict = run.below(6) == 0 ? run.below(3) : 0;
            run.note("park class isl cached strict", at, isl, cached, strict);
            final Item item = new Item("");
            assertNull(queue.enqueue(item, at, 1, isl, cached, arrival, jump, strict));
            naive
                .classes
                .get(at)
                .add(
                    new Parked(
                        item, Math.max(isl - cached, 1), jump - arrival, strict, run.operation()));
            parked.add(item);
          } else if (what == 5 && !parked.isEmpty()) {
            final Item item = parked.remove(run.below(parked.size()));
            run.note("cancel");
            assertTrue(queue.cancel(item));
            naive.remove(item);
          } else {
            final Set<Integer> blocked = run.below(3) == 0 ? Set.of(run.below(3)) : Set.of();
            run.note("pop");
            final Item item = naive.pop(blocked);
            assertEquals(item, queue.pop((at, head) -> !blocked.contains(at)));
            parked.remove(item);
          }
          assertEquals(parked.size(), queue.pendingCount());
          assertEquals(naive.cursor, queue.cursor());
          for (int at = 0; at < 3; at++) {
            assertEquals(naive.deficits[at], queue.deficit(at));
            assertEquals(naive.classes.get(at).size(), queue.pendingCount(at));
          }
        });
  }

  @Test
  void shouldAgreeWithANaiveTwin() {
    compareWithNaive(41, SeededRun.operations());
  }

  @Test
  @Tag("long")
  void shouldAgreeWithANaiveTwinForLong() {
    compareWithNaive(42, 100_000);
  }
}
