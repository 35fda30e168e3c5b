package io.kvroute.route;

import java.util.OptionalDouble;

/**
 * What one request wants otherwise than the {@link KvRouterConfig}. Immutable; reading it through
 * {@code ...Or} allocates nothing.
 */
public final class RouterConfigOverride {
  /** Changes nothing. */
  public static final RouterConfigOverride NONE = builder().build();

  // NaN stands for "not set"; no field may be NaN.
  private final double overlapScoreCredit;
  private final double prefillLoadScale;
  private final double routerTemperature;
  private final double sharedCacheMultiplier;
  private final Boolean assumeKvReuse;
  private final Boolean trackPrefillTokens;

  private RouterConfigOverride(final Builder builder) {
    overlapScoreCredit = builder.overlapScoreCredit;
    prefillLoadScale = builder.prefillLoadScale;
    routerTemperature = builder.routerTemperature;
    sharedCacheMultiplier = builder.sharedCacheMultiplier;
    assumeKvReuse = builder.assumeKvReuse;
    trackPrefillTokens = builder.trackPrefillTokens;
  }

  /** Starts with nothing set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Replaces {@link KvRouterConfig#overlapScoreCredit()}. Allocates. */
  public OptionalDouble overlapScoreCredit() {
    return optional(overlapScoreCredit);
  }

  /** Replaces {@link KvRouterConfig#prefillLoadScale()}. Allocates. */
  public OptionalDouble prefillLoadScale() {
    return optional(prefillLoadScale);
  }

  /** Replaces {@link KvRouterConfig#routerTemperature()}. Allocates. */
  public OptionalDouble routerTemperature() {
    return optional(routerTemperature);
  }

  /** Replaces {@link KvRouterConfig#sharedCacheMultiplier()}. Allocates. */
  public OptionalDouble sharedCacheMultiplier() {
    return optional(sharedCacheMultiplier);
  }

  /** Replaces {@link KvRouterConfig#routerAssumeKvReuse()}; null if not set. */
  public Boolean assumeKvReuse() {
    return assumeKvReuse;
  }

  /** Replaces {@link KvRouterConfig#routerTrackPrefillTokens()}; null if not set. */
  public Boolean trackPrefillTokens() {
    return trackPrefillTokens;
  }

  private static OptionalDouble optional(final double value) {
    return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  double overlapScoreCreditOr(final double otherwise) {
    return Double.isNaN(overlapScoreCredit) ? otherwise : overlapScoreCredit;
  }

  double prefillLoadScaleOr(final double otherwise) {
    return Double.isNaN(prefillLoadScale) ? otherwise : prefillLoadScale;
  }

  double routerTemperatureOr(final double otherwise) {
    return Double.isNaN(routerTemperature) ? otherwise : routerTemperature;
  }

  double sharedCacheMultiplierOr(final double otherwise) {
    return Double.isNaN(sharedCacheMultiplier) ? otherwise : sharedCacheMultiplier;
  }

  boolean assumeKvReuseOr(final boolean otherwise) {
    return assumeKvReuse == null ? otherwise : assumeKvReuse;
  }

  boolean trackPrefillTokensOr(final boolean otherwise) {
    return trackPrefillTokens == null ? otherwise : trackPrefillTokens;
  }

  /** Collects fields; a builder can be used again. Not thread-safe. */
  public static final class Builder {
    private double overlapScoreCredit = Double.NaN;
    private double prefillLoadScale = Double.NaN;
    private double routerTemperature = Double.NaN;
    private double sharedCacheMultiplier = Double.NaN;
    private double overlapScoreWeight = Double.NaN;
    private Boolean assumeKvReuse;
    private Boolean trackPrefillTokens;

    private Builder() {}

    /**
     * Sets the credit.
     *
     * @throws KvRouterConfigException unless finite and from 0 on
     */
    public Builder overlapScoreCredit(final double value) {
      Checks.notNegative("overlap_score_credit", value);
      overlapScoreCredit = value;
      return this;
    }

    /**
     * Sets the scale.
     *
     * @throws KvRouterConfigException unless finite and from 0 on
     */
    public Builder prefillLoadScale(final double value) {
      Checks.notNegative("prefill_load_scale", value);
      prefillLoadScale = value;
      return this;
    }

    /**
     * Sets the temperature.
     *
     * @throws KvRouterConfigException unless finite and from 0 on
     */
    public Builder routerTemperature(final double value) {
      Checks.notNegative("router_temperature", value);
      routerTemperature = value;
      return this;
    }

    /**
     * Sets the multiplier.
     *
     * @throws KvRouterConfigException unless 0 to 1
     */
    public Builder sharedCacheMultiplier(final double value) {
      Checks.fraction("shared_cache_multiplier", value);
      sharedCacheMultiplier = value;
      return this;
    }

    /** Sets whether equal blocks of active requests count once; null for the configuration's. */
    public Builder assumeKvReuse(final Boolean value) {
      assumeKvReuse = value;
      return this;
    }

    /** Sets whether prefill tokens are part of the cost; null for the configuration's. */
    public Builder trackPrefillTokens(final Boolean value) {
      trackPrefillTokens = value;
      return this;
    }

    /**
     * Sets the legacy weight: whatever else is set, it becomes the scale, and 0 takes the credit
     * away.
     *
     * @throws KvRouterConfigException unless finite and from 0 on
     */
    public Builder overlapScoreWeight(final double value) {
      Checks.notNegative("overlap_score_weight", value);
      overlapScoreWeight = value;
      return this;
    }

    /** Makes the override. */
    public RouterConfigOverride build() {
      final double credit = overlapScoreCredit;
      final double scale = prefillLoadScale;
      if (!Double.isNaN(overlapScoreWeight)) {
        prefillLoadScale = overlapScoreWeight;
        overlapScoreCredit = overlapScoreWeight == 0.0 ? 0.0 : credit;
      }
      final RouterConfigOverride made = new RouterConfigOverride(this);
      overlapScoreCredit = credit;
      prefillLoadScale = scale;
      return made;
    }
  }
}
