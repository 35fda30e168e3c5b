package io.kvroute.tools.conformance;

import io.kvroute.protocol.QueueRejection;
import io.kvroute.route.queue.PolicyQueue;
import io.kvroute.route.queue.QueuedRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** One line of operations on parked requests. */
final class PolicyQueueReplay {
  private static final int CAPACITY = 65_536;

  private static final class Item extends QueuedRequest {
    private final String name;

    private Item(final String name) {
      this.name = name;
    }
  }

  private final JsonTree line;
  private final Tally tally;
  private final PolicyQueue<Item> queue;
  private final Map<String, Item> items = new HashMap<>();

  PolicyQueueReplay(final JsonTree line, final Tally tally) {
    this.line = line;
    this.tally = tally;
    queue = new PolicyQueue<>(QueuePolicyCases.policy(line.at("classes")), CAPACITY);
  }

  void run() {
    final List<JsonTree> operations = line.at("ops").elements();
    for (int i = 0; i < operations.size(); i++) {
      final JsonTree operation = operations.get(i);
      final String found = apply(operation) + ' ' + state();
      final String expected = expected(operation) + ' ' + operation.at("after").line();
      tally.compare(
          "policy_queue \"" + line.at("note") + "\" seed " + line.at("seed") + " operation " + i,
          expected,
          found);
    }
  }

  private static String expected(final JsonTree operation) {
    final JsonTree result = operation.at("result");
    if (operation.at("op").text().equals("pop")) {
      final String heads =
          operation.has("tested_heads") ? ' ' + operation.at("tested_heads").line() : "";
      return result.line() + heads;
    }
    if (!result.isObject()) {
      return result.line();
    }
    final JsonTree rejection = result.has("rejection") ? result.at("rejection") : result;
    return rejectionText(
        rejection.at("policy_class").text(),
        rejection.at("limit_kind").text(),
        rejection.at("current").u64(),
        rejection.at("limit").u64());
  }

  private static String rejectionText(
      final String policyClass, final String kind, final long current, final long limit) {
    return policyClass
        + ' '
        + kind
        + ' '
        + Long.toUnsignedString(current)
        + ' '
        + Long.toUnsignedString(limit);
  }

  private String apply(final JsonTree operation) {
    return switch (operation.at("op").text()) {
      case "enqueue" -> enqueue(operation);
      case "pop" -> pop(operation);
      case "cancel" -> {
        operation.at("items").elements().forEach(each -> cancel(each.text()));
        yield "ok";
      }
      default ->
          throw new IllegalArgumentException("operation is not known: " + operation.at("op"));
    };
  }

  private String enqueue(final JsonTree operation) {
    final Item item = new Item(operation.at("item").text());
    final QueueRejection rejection =
        queue.enqueue(
            item,
            operation.at("class").u32(),
            operation.at("workers").u64(),
            operation.at("isl_tokens").u64(),
            operation.at("cached_tokens").u64(),
            operation.at("arrival_secs").f64(),
            operation.at("priority_jump").f64(),
            operation.at("strict_priority").u32());
    if (rejection != null) {
      return rejectionText(
          rejection.policyClass(),
          rejection.limitKind().toString().toLowerCase(Locale.ROOT),
          rejection.current(),
          rejection.limit());
    }
    items.put(item.name, item);
    return "ok";
  }

  private void cancel(final String name) {
    final Item item = items.get(name);
    if (item != null) {
      queue.cancel(item);
    }
  }

  private String pop(final JsonTree operation) {
    final Set<String> blockedClasses = texts(operation.at("blocked_classes"));
    final Set<String> blockedItems = texts(operation.at("blocked_items"));
    final StringJoiner heads = new StringJoiner(", ", "[", "]");
    final Item taken =
        queue.pop(
            (at, head) -> {
              final String index = String.valueOf(at);
              heads.add("[" + index + ", " + head.name + "]");
              return !blockedClasses.contains(index) && !blockedItems.contains(head.name);
            });
    final String result =
        taken == null ? "null" : "{class=" + taken.classIndex() + ", item=" + taken.name + "}";
    return operation.has("tested_heads") ? result + ' ' + heads : result;
  }

  private static Set<String> texts(final JsonTree list) {
    final Set<String> texts = new HashSet<>();
    list.elements().forEach(each -> texts.add(each.text()));
    return texts;
  }

  private String state() {
    final StringJoiner deficits = new StringJoiner(", ", "[", "]");
    final StringJoiner stats = new StringJoiner(", ", "[", "]");
    for (int i = 0; i < queue.policy().classCount(); i++) {
      deficits.add(Long.toUnsignedString(queue.deficit(i)));
      stats.add(
          "["
              + queue.pendingCount(i)
              + ", "
              + Long.toUnsignedString(queue.pendingIslTokens(i))
              + ", "
              + Long.toUnsignedString(queue.pendingCachedTokens(i))
              + "]");
    }
    return "{cursor="
        + queue.cursor()
        + ", deficits="
        + deficits
        + ", pending="
        + queue.pendingCount()
        + ", stats="
        + stats
        + '}';
  }
}
