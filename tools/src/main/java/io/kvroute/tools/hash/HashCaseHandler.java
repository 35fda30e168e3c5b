package io.kvroute.tools.hash;

/** Takes the cases of a file one by one, in file order. */
public interface HashCaseHandler {

  /** Takes a prompt. */
  void onCase(HashCase hashCase);

  /** Takes a plain hash case; ignored unless overridden. */
  default void onXxh3(final Xxh3Case xxh3Case) {}
}
