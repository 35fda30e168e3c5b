package io.kvroute.route;

/** Which of several costs to take. An embedder may bring one. */
@FunctionalInterface
public interface CostPicker {
  /**
   * Picks a row.
   *
   * @param costs of the candidates, in ascending order of their ranks; not to be kept or changed
   * @param count how many there are, from 1 on
   * @param temperature 0, or how much chance is in it
   * @param random where chance comes from
   * @return the row, from 0 to {@code count - 1}, or -1 if none will do
   */
  int pick(double[] costs, int count, double temperature, RandomSource random);
}
