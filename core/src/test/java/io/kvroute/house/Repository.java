package io.kvroute.house;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files around a test. */
final class Repository {
  private Repository() {}

  /** The folder that everything is in. */
  static Path root() {
    Path folder = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".mvn"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("not inside the repository: user.dir is too high up");
      }
    }
    return folder;
  }

  /** The text of a file, by its path from the root. */
  static String read(final String path) throws IOException {
    return Files.readString(root().resolve(path), StandardCharsets.UTF_8);
  }

  /** Names of all classes that were compiled beside {@code sample}. */
  static List<String> classNames(final Class<?> sample) throws IOException, URISyntaxException {
    final Path classes =
        Path.of(sample.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith(".class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .map(name -> name.replace('/', '.').replace('\\', '.'))
          .sorted()
          .toList();
    }
  }
}
