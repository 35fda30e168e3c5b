package io.kvroute.protocol;

/** Where a worker keeps a cached block, from the fastest to the slowest. */
public enum StorageTier {
  /** Memory of the accelerator. */
  DEVICE(null),
  /** Pinned memory of the host. */
  HOST_PINNED("CPU_PINNED"),
  /** A disk of the host. */
  DISK("DISK"),
  /** A store outside of the host. */
  EXTERNAL("EXTERNAL");

  private static final StorageTier[] BY_CODE = values();

  private final String kvMedium;

  StorageTier(final String kvMedium) {
    this.kvMedium = kvMedium;
  }

  /** How many tiers there are; their ordinals are below it. */
  public static int count() {
    return BY_CODE.length;
  }

  /**
   * The tier with an ordinal, without allocating.
   *
   * @throws ArrayIndexOutOfBoundsException if there is none
   */
  public static StorageTier ofOrdinal(final int ordinal) {
    return BY_CODE[ordinal];
  }

  /**
   * The tier that an engine's medium name stands for. Names are case-sensitive.
   *
   * @param medium the engine's name, or null
   * @return the tier, or null if the name is unknown or absent
   */
  public static StorageTier fromKvMedium(final String medium) {
    if (medium == null) {
      return null;
    }
    return switch (medium) {
      case "GPU", "DEVICE" -> DEVICE;
      case "CPU", "CPU_PINNED", "CPU_TIER1" -> HOST_PINNED;
      case "CPU_TIER2", "DISK", "NVME" -> DISK;
      case "EXTERNAL", "NETWORK", "REMOTE", "SHARED" -> EXTERNAL;
      default -> null;
    };
  }

  /**
   * The tier that an engine's medium name stands for, {@link #DEVICE} if the name is unknown or
   * absent.
   *
   * @param medium the engine's name, or null
   */
  public static StorageTier fromKvMediumOrDefault(final String medium) {
    final StorageTier tier = fromKvMedium(medium);
    return tier == null ? DEVICE : tier;
  }

  /** The medium name to write; null for {@link #DEVICE}, which is written by leaving it out. */
  public String toKvMedium() {
    return kvMedium;
  }

  /** True for memory of the accelerator. */
  public boolean isGpu() {
    return this == DEVICE;
  }
}
