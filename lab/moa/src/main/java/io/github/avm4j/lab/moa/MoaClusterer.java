// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package io.github.avm4j.lab.moa;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import io.github.avm4j.lab.baselines.ClustererProvider.Clusterer;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import moa.cluster.Cluster;
import moa.cluster.Clustering;
import moa.clusterers.AbstractClusterer;
import moa.clusterers.macro.NonConvexCluster;

/**
 * A clusterer of MOA. A row is in the cluster whose centre is the nearest; a cluster that is made
 * of micro-clusters has the centres of all of them.
 */
final class MoaClusterer implements Clusterer {
  private final AbstractClusterer clusterer;
  private final InstancesHeader header;

  MoaClusterer(AbstractClusterer clusterer, int features) {
    this.clusterer = clusterer;
    List<Attribute> attributes = new ArrayList<>();
    for (int j = 0; j < features; j++) {
      attributes.add(new Attribute("x" + j));
    }
    header = new InstancesHeader(new Instances("stream", attributes, 0));
    clusterer.prepareForUse();
    clusterer.setModelContext(header);
  }

  @Override
  public void learn(double[] x) {
    Instance instance = new DenseInstance(1, x.clone());
    instance.setDataset(header);
    clusterer.trainOnInstance(instance);
  }

  @Override
  public ToIntFunction<double[]> clusters() {
    Clustering result = result();
    List<double[]> centres = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int c = 0; c < result.size(); c++) {
      Cluster cluster = result.get(c);
      List<? extends Cluster> parts =
          cluster instanceof NonConvexCluster whole ? whole.getMicroClusters() : List.of(cluster);
      for (Cluster part : parts) {
        centres.add(part.getCenter());
        numbers.add(c);
      }
    }
    return x -> nearest(x, centres, numbers);
  }

  /** MOA's DBSCAN prints the number of rows it left out: not into our tables. */
  private Clustering result() {
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    try {
      return clusterer.getClusteringResult();
    } finally {
      System.setOut(out);
    }
  }

  private static int nearest(double[] x, List<double[]> centres, List<Integer> numbers) {
    int nearest = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < centres.size(); i++) {
      double squared = 0;
      for (int j = 0; j < x.length; j++) {
        double difference = x[j] - centres.get(i)[j];
        squared += difference * difference;
      }
      if (squared < least) {
        least = squared;
        nearest = numbers.get(i);
      }
    }
    return nearest;
  }
}
