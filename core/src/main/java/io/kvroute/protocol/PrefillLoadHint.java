package io.kvroute.protocol;

/**
 * What a router expects of a request's prefill.
 *
 * @param initialEffectivePrefillTokens tokens that have to be prefilled, unsigned 64-bit
 * @param expectedPrefillDuration how long that should take, or null
 */
public record PrefillLoadHint(
    long initialEffectivePrefillTokens, UnsignedDuration expectedPrefillDuration) {}
