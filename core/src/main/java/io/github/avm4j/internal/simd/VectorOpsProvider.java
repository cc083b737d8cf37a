// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

/**
 * Chooses the {@link VectorOps} of this process, once.
 *
 * <p>The Vector API version is taken where the module {@code jdk.incubator.vector} is resolved
 * ({@code --add-modules jdk.incubator.vector}), the JDK is one it is tested on, and the system
 * property {@code avm4j.simd} is not {@code off}. Its class is loaded by name, so that nothing
 * links against a module that may be absent.
 */
public final class VectorOpsProvider {

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
    String obstacle = obstacle(off, panamaPresent(), Runtime.version().feature());
    if (obstacle.isEmpty()) {
      try {
        VectorOps ops = panama();
        LOG.log(System.Logger.Level.DEBUG, "vector operations: {0}", ops.name());
        return ops;
      } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
        obstacle = e.toString();
      }
    }
    LOG.log(level(off, panamaPresent()), "vector operations: scalar, because {0}", obstacle);
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
      return "module jdk.incubator.vector is not resolved";
    }
    return jdk >= OLDEST_TESTED && jdk <= NEWEST_TESTED
        ? ""
        : ("this avm4j is not tested on JDK %d: use JDK %d to %d or a newer avm4j, or set"
                + " -Davm4j.simd=off to silence this")
            .formatted(jdk, OLDEST_TESTED, NEWEST_TESTED);
  }

  /** Whether the Vector API's module is there to be used. */
  static boolean panamaPresent() {
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
  }

  /** A new Vector API implementation; throws where the module or wide enough vectors lack. */
  static VectorOps panama() throws ReflectiveOperationException {
    Module module = ModuleLayer.boot().findModule("jdk.incubator.vector").orElseThrow();
    VectorOpsProvider.class.getModule().addReads(module);
    return Class.forName(VectorOpsProvider.class.getPackageName() + ".PanamaVectorOps")
        .asSubclass(VectorOps.class)
        .getDeclaredConstructor()
        .newInstance();
  }
}
