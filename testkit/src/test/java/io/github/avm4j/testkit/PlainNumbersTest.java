// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.detector.Clusters;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.evaluation.Prequential;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.learner.ScaledLearner;
import io.github.avm4j.learner.SecondOrderLearner;
import io.github.avm4j.model.Explanation;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Predictor;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whoever has an array of numbers calls what takes a vector, and gets the same. */
class PlainNumbersTest {
  /** What people call; engines of cells, scaling and schemas take vectors alone. */
  private static final List<Class<?>> TYPES =
      List.of(
          Predictor.class,
          OnlineLearner.class,
          Learner.class,
          AutoLearner.class,
          KernelLearner.class,
          ScaledLearner.class,
          SecondOrderLearner.class,
          Model.class,
          Detector.class,
          Clusters.class,
          LabelBudget.class,
          Explanation.class,
          Prequential.class);

  /** Of cells: an array cannot say what it would cost to copy. */
  private static final List<String> VECTORS_ONLY = List.of("local", "checkShape");

  @Test
  void everyMethodTakesThem() {
    TreeSet<String> missing = new TreeSet<>();
    for (Class<?> type : TYPES) {
      for (Method method : type.getMethods()) {
        if (Modifier.isPublic(method.getModifiers())
            && Arrays.asList(method.getParameterTypes()).contains(FeatureVector.class)
            && !VECTORS_ONLY.contains(method.getName())
            && twin(type, method) == null) {
          missing.add(method.toString());
        }
      }
    }
    assertEquals(new TreeSet<String>(), missing);
  }

  private static Method twin(Class<?> type, Method method) {
    Class<?>[] wanted = method.getParameterTypes();
    for (int p = 0; p < wanted.length; p++) {
      wanted[p] = wanted[p] == FeatureVector.class ? double[].class : wanted[p];
    }
    try {
      return type.getMethod(method.getName(), wanted);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** Calls each on two equal objects, one with vectors, one with arrays. */
  @Test
  void bothGiveTheSame() throws Exception {
    Random random = new Random(41);
    List<Object> vectors = objects();
    List<Object> arrays = objects();
    int calls = 0;
    for (int k = 0; k < vectors.size(); k++) {
      Object one = vectors.get(k);
      for (Method method : sorted(one.getClass())) {
        Method twin = twin(one.getClass(), method);
        if (twin == null || VECTORS_ONLY.contains(method.getName())) {
          continue;
        }
        double[] x = random.doubles(3, -1, 1).toArray();
        Object[] first = arguments(method, FeatureVector.dense(x), vectors);
        Object[] second = arguments(twin, x, arrays);
        Object expected = call(method, one, first);
        Object found = call(twin, arrays.get(k), second);
        assertEquals(text(expected), text(found), method.toString());
        for (int a = 0; a < first.length; a++) {
          if (first[a] instanceof double[] out && method.getParameterTypes()[a] == double[].class) {
            assertArrayEquals(out, (double[]) second[a], method.toString());
          }
        }
        calls++;
      }
    }
    assertTrue(calls > 30, calls + " calls");
  }

  private static List<Object> objects() {
    AutoLearner classifier = Avm.classifier().gamma(1).build();
    AutoLearner regressor = Avm.regressor().gamma(1).build();
    KernelLearner paper = Avm.paperClassifier().gamma(1).delta(1).lambda(0.01).build();
    Detector detector = Avm.detector().build();
    Random random = new Random(42);
    for (int i = 0; i < 1500; i++) {
      double[] x = random.doubles(3, -1, 1).toArray();
      classifier.learn(x, x[0] > 0 ? 1 : 0);
      regressor.learn(x, x[0] + x[1]);
      paper.learn(x, x[0] > 0 ? 1 : 0);
      detector.detectThenLearn(x);
    }
    return List.of(
        classifier.snapshot(),
        regressor.snapshot(),
        classifier,
        regressor,
        paper,
        detector.clusters(),
        detector,
        LabelBudget.of(0.5));
  }

  private static List<Method> sorted(Class<?> type) {
    List<Method> methods = new ArrayList<>();
    for (Method method : type.getMethods()) {
      if (Arrays.asList(method.getParameterTypes()).contains(FeatureVector.class)
          && !method.isBridge()) {
        methods.add(method);
      }
    }
    methods.sort((a, b) -> a.toString().compareTo(b.toString()));
    return methods;
  }

  private static Object[] arguments(Method method, Object x, List<Object> objects) {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    boolean instance = false;
    for (int p = 0; p < types.length; p++) {
      if (types[p] == FeatureVector.class || (types[p] == double[].class && !instance)) {
        arguments[p] = x;
        instance = true;
      } else if (types[p] == double[].class) {
        arguments[p] = new double[8];
      } else if (types[p] == double.class) {
        arguments[p] = 0.9;
      } else if (types[p] == int.class) {
        arguments[p] = 2;
      } else if (types[p] == boolean.class) {
        arguments[p] = true;
      } else {
        arguments[p] = objects.get(0);
      }
    }
    return arguments;
  }

  /** What a call gives, or why it is refused. */
  private static Object call(Method method, Object on, Object[] arguments) throws Exception {
    try {
      return method.invoke(on, arguments);
    } catch (java.lang.reflect.InvocationTargetException e) {
      return String.valueOf(e.getCause());
    }
  }

  private static String text(Object value) {
    if (value != null && value.getClass().isArray()) {
      StringBuilder all = new StringBuilder();
      for (int k = 0; k < Array.getLength(value); k++) {
        all.append(Array.get(value, k)).append(' ');
      }
      return all.toString();
    }
    return String.valueOf(value);
  }
}
