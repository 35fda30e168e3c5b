package io.kvroute.route;

/** A router's configuration, or a request's override of it, cannot be. */
public final class KvRouterConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String field;

  KvRouterConfigException(final String field, final String message) {
    super(message);
    this.field = field;
  }

  /** The field to blame, by its name on the wire, such as {@code router_temperature}. */
  public String field() {
    return field;
  }
}
