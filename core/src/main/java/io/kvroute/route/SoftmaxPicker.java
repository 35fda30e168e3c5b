package io.kvroute.route;

/**
 * The picker of NVIDIA Dynamo's router (Apache-2.0). At temperature 0 the lowest cost wins, exact
 * ties uniformly by chance. Above, row {@code i} wins with a probability in proportion to {@code
 * exp(-(cost[i] - min) / ((max - min) * temperature))}; if all costs are equal, all rows are. A
 * cost that is not a number never wins. Costs a buffer for its probabilities; not thread-safe.
 */
public final class SoftmaxPicker implements CostPicker {
  private double[] probabilities = new double[0];

  /** Makes one. */
  public SoftmaxPicker() {}

  @Override
  public int pick(
      final double[] costs, final int count, final double temperature, final RandomSource random) {
    return temperature > 0.0
        ? draw(costs, count, temperature, random)
        : lowest(costs, count, random);
  }

  /** Of k equal minima in a row each is left with the probability 1/k. */
  private static int lowest(final double[] costs, final int count, final RandomSource random) {
    int best = -1;
    int ties = 0;
    double least = Double.NaN;
    for (int i = 0; i < count; i++) {
      final double cost = costs[i];
      if (cost < least || (best < 0 && !Double.isNaN(cost))) {
        best = i;
        least = cost;
        ties = 1;
      } else if (cost == least) {
        ties++;
        if (random.nextInt(ties) == 0) {
          best = i;
        }
      }
    }
    return best;
  }

  private int draw(
      final double[] costs, final int count, final double temperature, final RandomSource random) {
    if (probabilities.length < count) {
      probabilities = new double[Math.max(count, 2 * probabilities.length)];
    }
    if (!probabilities(costs, count, temperature, probabilities)) {
      return -1;
    }
    final double target = random.nextDouble();
    double sum = 0.0;
    int last = -1;
    for (int i = 0; i < count; i++) {
      if (!Double.isNaN(costs[i])) {
        sum += probabilities[i];
        last = i;
        if (sum >= target) {
          return i;
        }
      }
    }
    return last;
  }

  /**
   * With which probability each row wins. A cost that is not a number has 0; where infinite costs
   * leave nothing to compare, the lowest rows share.
   *
   * @param costs of the rows
   * @param count how many there are
   * @param temperature above 0
   * @param out takes the probabilities
   * @return false if no cost is a number
   */
  public static boolean probabilities(
      final double[] costs, final int count, final double temperature, final double[] out) {
    double min = Double.NaN;
    double max = Double.NaN;
    for (int i = 0; i < count; i++) {
      min = costs[i] < min || Double.isNaN(min) ? costs[i] : min;
      max = costs[i] > max || Double.isNaN(max) ? costs[i] : max;
    }
    if (Double.isNaN(min)) {
      return false;
    }
    final double scale = -1.0 / ((max - min) * temperature);
    final double shift = min * scale;
    // Rows that are all equal start from 1/n, not from 1: the sum of the shares rounds differently.
    final double unit = min == max ? 1.0 / count : 1.0;
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
      out[i] = unit * weight(costs[i], min, scale, shift);
      sum += out[i];
    }
    for (int i = 0; i < count; i++) {
      out[i] /= sum;
    }
    return true;
  }

  private static double weight(
      final double cost, final double min, final double scale, final double shift) {
    if (Double.isNaN(cost)) {
      return 0.0;
    }
    if (cost == min) {
      return 1.0;
    }
    final double exponent = cost * scale - shift;
    // Infinities over infinities: what is not the minimum has no share.
    return !Double.isNaN(exponent) ? StrictMath.exp(exponent) : 0.0;
  }
}
