package io.kvroute.route.queue;

import io.kvroute.route.queue.QueuePolicyException.Fault;

/** What names in a policy may look like. */
final class Identifiers {
  private Identifiers() {}

  static void require(final String what, final String name) {
    if (name.isEmpty() || !name.chars().allMatch(Identifiers::isAllowed)) {
      throw new QueuePolicyException(
          Fault.BAD_NAME,
          "name must be of letters, digits, '_', '.' and '-': " + what + "=\"" + name + '"');
    }
  }

  private static boolean isAllowed(final int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '.'
        || c == '-';
  }
}
