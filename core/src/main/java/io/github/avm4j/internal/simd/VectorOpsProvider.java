// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import java.util.Optional;

/**
 * Chooses the {@link VectorOps} of this process, once.
 *
 * <p>The Vector API version is taken where the module {@code jdk.incubator.vector} is resolved
 * ({@code --add-modules jdk.incubator.vector}) or may be loaded, the JDK is one it is tested on,
 * and the system property {@code avm4j.simd} is not {@code off}. Its class is loaded by name, so
 * that nothing links against a module that may be absent.
 *
 * <p>The module may be loaded where the JDK's own loader of modules is exported to this class
 * ({@code --add-exports java.base/jdk.internal.module=ALL-UNNAMED}), as the command's launcher
 * does: a module that is named at the start makes Java print a warning before anything that the
 * command could print, and one that is loaded later does not.
 */
public final class VectorOpsProvider {

  private static final String MODULE = "jdk.incubator.vector";
  private static final int OLDEST_TESTED = 17;
  private static final int NEWEST_TESTED = 25;
  private static final System.Logger LOG = System.getLogger(VectorOpsProvider.class.getName());

  private VectorOpsProvider() {}

  private static final class Holder {
    static final VectorOps OPS = choose();
  }

  /** The chosen implementation; always the same object. */
  public static VectorOps get() {
    return Holder.OPS;
  }

  private static VectorOps choose() {
    boolean off = "off".equalsIgnoreCase(System.getProperty("avm4j.simd"));
    boolean present = !off && panamaPresent();
    String obstacle = obstacle(off, present, Runtime.version().feature());
    if (obstacle.isEmpty()) {
      try {
        VectorOps ops = panama();
        LOG.log(System.Logger.Level.DEBUG, "vector operations: {0}", ops.name());
        return ops;
      } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
        obstacle = e.toString();
      }
    }
    LOG.log(level(off, present), "vector operations: scalar, because {0}", obstacle);
    return new ScalarVectorOps();
  }

  /** A user who asked for the vector module and does not get it is to know. */
  static System.Logger.Level level(boolean off, boolean present) {
    return present && !off ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG;
  }

  /** Why not to try the Vector API; empty if nothing speaks against it. */
  static String obstacle(boolean off, boolean present, int jdk) {
    if (off) {
      return "avm4j.simd is off";
    }
    if (!present) {
      return "module " + MODULE + " is not resolved";
    }
    return jdk >= OLDEST_TESTED && jdk <= NEWEST_TESTED
        ? ""
        : ("this avm4j is not tested on JDK %d: use JDK %d to %d or a newer avm4j, or set"
                + " -Davm4j.simd=off to silence this")
            .formatted(jdk, OLDEST_TESTED, NEWEST_TESTED);
  }

  /** Whether the Vector API's module is there to be used. */
  static boolean panamaPresent() {
    return module().isPresent();
  }

  private static Optional<Module> module() {
    Optional<Module> resolved = ModuleLayer.boot().findModule(MODULE);
    if (resolved.isPresent()) {
      return resolved;
    }
    try {
      return Optional.of(
          (Module)
              Class.forName("jdk.internal.module.Modules")
                  .getMethod("loadModule", String.class)
                  .invoke(null, MODULE));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return Optional.empty(); // not exported, or a runtime without that module
    }
  }

  /** A new Vector API implementation; throws where the module or wide enough vectors lack. */
  static VectorOps panama() throws ReflectiveOperationException {
    VectorOpsProvider.class.getModule().addReads(module().orElseThrow());
    return Class.forName(VectorOpsProvider.class.getPackageName() + ".PanamaVectorOps")
        .asSubclass(VectorOps.class)
        .getDeclaredConstructor()
        .newInstance();
  }
}
