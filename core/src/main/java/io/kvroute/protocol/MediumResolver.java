package io.kvroute.protocol;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns engines' medium names into tiers and counts the names that it does not know, so that a new
 * name does not pass for device memory unseen. At most {@link #MAX_NAMES} names are told apart;
 * longer names and further ones are counted together, because names come from outside. Not
 * thread-safe.
 */
public final class MediumResolver {
  /** How many unknown names have a counter of their own. */
  public static final int MAX_NAMES = 64;

  /** The longest unknown name that has a counter of its own, in UTF-16 units. */
  public static final int MAX_NAME_LENGTH = 64;

  private final Map<String, Long> unknown = new TreeMap<>();
  private long others;

  /** Makes a resolver that has seen nothing. */
  public MediumResolver() {}

  /**
   * The tier that a name stands for; {@link StorageTier#DEVICE} if it is absent, or unknown, which
   * is counted. Allocates only for an unknown name.
   *
   * @param medium the engine's name, or null
   */
  public StorageTier tierOf(final String medium) {
    final StorageTier tier = StorageTier.fromKvMedium(medium);
    if (tier != null) {
      return tier;
    }
    if (medium != null) {
      count(medium);
    }
    return StorageTier.DEVICE;
  }

  private void count(final String medium) {
    if (medium.length() <= MAX_NAME_LENGTH
        && (unknown.containsKey(medium) || unknown.size() < MAX_NAMES)) {
      unknown.merge(medium, 1L, Long::sum);
    } else {
      others++;
    }
  }

  /** How often each unknown name was seen; a view that cannot be changed. */
  public Map<String, Long> unknownNames() {
    return Collections.unmodifiableMap(unknown);
  }

  /** How often names were seen that got no counter of their own. */
  public long otherUnknownNames() {
    return others;
  }
}
