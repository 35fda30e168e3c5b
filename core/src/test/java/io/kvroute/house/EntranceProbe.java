package io.kvroute.house;

import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.BlockHashOptions;
import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.BlockHashes;
import io.kvroute.hash.TokenView;
import io.kvroute.hash.Xxh3;
import io.kvroute.memory.Arena;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.ListenerSink;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Takes every way into the library, each as the first thing that a program does with it: in a class
 * loader of its own, where no class has been initialised.
 */
public final class EntranceProbe {
  private EntranceProbe() {}

  static Map<String, Runnable> entrances() {
    final Map<String, Runnable> entrances = new LinkedHashMap<>();
    entrances.put("arena", () -> Arena.ofCapacity(64).close());
    entrances.put("tokens", () -> TokenView.of(1, 2, 3));
    entrances.put("empty tokens", TokenView::new);
    entrances.put("hasher", () -> BlockHasher.of(16));
    entrances.put("adapter's hasher", () -> BlockHasher.of(16, "adapter", true));
    entrances.put("xxh3 of an array", () -> Xxh3.hash(new byte[3], 0, 3, 0));
    entrances.put("xxh3 of a buffer", () -> Xxh3.hash(ByteBuffer.allocateDirect(3), 0, 3, 0));
    entrances.put(
        "block hashes",
        () -> BlockHashes.computeBlockHashForSeq(new int[4], 4, BlockHashOptions.DEFAULT));
    entrances.put("manager", () -> SglangKvManager.builder(64, 16).build().close());
    entrances.put("decoder", KvEventDecoder::new);
    entrances.put("sink", () -> new ListenerSink((buffer, offset, length) -> {}));
    return entrances;
  }

  /** With an argument takes that entrance; otherwise prints what comes of each. */
  public static void main(final String[] args) throws Exception {
    if (args.length > 0) {
      entrances().get(args[0]).run();
      return;
    }
    final String[] paths = System.getProperty("java.class.path").split(File.pathSeparator, -1);
    final URL[] urls = new URL[paths.length];
    for (int i = 0; i < paths.length; i++) {
      urls[i] = new File(paths[i]).toURI().toURL();
    }
    for (final String name : entrances().keySet()) {
      try (URLClassLoader fresh = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
        final Class<?> probe = fresh.loadClass(EntranceProbe.class.getName());
        final Object outcome = probe.getMethod("attempt", String.class).invoke(null, name);
        System.out.println(name + ": " + outcome);
      }
    }
  }

  /** What comes of one entrance. Public because the caller's package has another class loader. */
  public static String attempt(final String name) {
    try {
      entrances().get(name).run();
      return "nothing thrown";
    } catch (final Throwable e) {
      return e.toString();
    }
  }
}
