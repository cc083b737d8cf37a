// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package io.github.avm4j.lab.moa;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.lab.baselines.StreamHeader;
import io.github.avm4j.learner.OnlineLearner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import moa.classifiers.AbstractClassifier;
import moa.core.Utils;

/**
 * A learner of MOA behind avm4j's interface. All labels are declared. The predicted class is the
 * one with the most votes, the earliest on ties, as in MOA's evaluators. For one thread.
 */
class MoaLearner implements OnlineLearner {
  private static final double LEAST_SHARE = 1e-9;

  private final AbstractClassifier classifier;
  private final StreamHeader about;
  private final InstancesHeader header;
  private final double[] labels;
  private long instances;

  MoaLearner(AbstractClassifier classifier, StreamHeader about, long seed) {
    this.classifier = classifier;
    this.about = about;
    this.labels = about.labels().stream().mapToDouble(label -> label).toArray();
    this.header = header(about);
    if (classifier.isRandomizable()) {
      classifier.setRandomSeed((int) seed);
    }
    classifier.prepareForUse();
    classifier.setModelContext(header);
  }

  private static InstancesHeader header(StreamHeader about) {
    List<Attribute> attributes = new ArrayList<>();
    for (StreamHeader.Attribute one : about.attributes()) {
      attributes.add(
          one.isNominal() ? new Attribute(one.name(), one.values()) : new Attribute(one.name()));
    }
    List<String> classes = about.labels().stream().map(String::valueOf).toList();
    attributes.add(
        about.task() == Task.CLASSIFICATION
            ? new Attribute("class", new ArrayList<>(classes))
            : new Attribute("target"));
    Instances empty = new Instances("stream", attributes, 0);
    empty.setClassIndex(attributes.size() - 1);
    return new InstancesHeader(empty);
  }

  /** A new one each time: some learners store instances. */
  private Instance instance(FeatureVector x, double target) {
    int features = about.attributes().size();
    if (x.dimension() > features) {
      throw new IllegalArgumentException(
          "a vector has " + x.dimension() + " features, the header has " + features);
    }
    double[] values = new double[features + 1];
    for (int k = 0; k < x.count(); k++) {
      values[x.isSparse() ? x.indices()[k] : k] = x.values()[k];
    }
    values[features] = target;
    Instance instance = new DenseInstance(1, values);
    instance.setDataset(header);
    return instance;
  }

  private int indexOf(double label) {
    for (int j = 0; j < labels.length; j++) {
      if (labels[j] == label) {
        return j;
      }
    }
    throw new IllegalArgumentException("label " + label + " is not in the header: " + about);
  }

  private double target(double y) {
    return task() == Task.CLASSIFICATION ? indexOf(y) : y;
  }

  final double[] votes(FeatureVector x) {
    return classifier.getVotesForInstance(instance(x, Double.NaN));
  }

  /** Of a regression the one vote, or the middle one between the ends of an interval. */
  private double predicted(double[] votes) {
    if (task() == Task.REGRESSION) {
      return votes.length == 0 ? 0 : votes[votes.length / 2];
    }
    return labels[votes.length == 0 ? 0 : Utils.maxIndex(votes)];
  }

  /** Logarithms of the shares of votes, so that their softmax is the shares. */
  private void ofVotes(double[] votes, double[] out) {
    if (task() == Task.REGRESSION) {
      out[0] = predicted(votes);
      return;
    }
    double sum = Arrays.stream(votes).filter(vote -> vote > 0).sum();
    for (int j = 0; j < labels.length; j++) {
      double vote = j < votes.length ? votes[j] : 0;
      double share = sum > 0 ? vote / sum : 1.0 / labels.length;
      out[j] = Math.log(Math.max(share, LEAST_SHARE));
    }
    if (labels.length == 2) {
      double half = (out[1] - out[0]) / 2;
      out[0] = -half;
      out[1] = half;
    }
  }

  @Override
  public double predict(FeatureVector x) {
    return predicted(votes(x));
  }

  @Override
  public double score(FeatureVector x) {
    double[] scores = new double[Math.max(1, labels.length)];
    scores(x, scores);
    return labels.length == 2 ? 2 * scores[1] : Arrays.stream(scores).max().orElse(0);
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    ofVotes(votes(x), out);
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    if (!(weight >= 0) || !Double.isFinite(weight) || !Double.isFinite(y)) {
      throw new IllegalArgumentException(
          "target and weight must be finite and weight >= 0, were " + y + " and " + weight);
    }
    if (weight > 0) {
      Instance instance = instance(x, target(y));
      instance.setWeight(weight);
      classifier.trainOnInstance(instance);
      instances++;
    }
  }

  /** The prediction is made from an instance without its class. */
  @Override
  public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
    double[] votes = votes(x);
    if (scores.length > 0) {
      ofVotes(votes, scores);
    }
    double prediction = predicted(votes);
    learn(x, y, weight);
    return prediction;
  }

  @Override
  public Task task() {
    return about.task();
  }

  @Override
  public int classes() {
    return labels.length;
  }

  @Override
  public double label(int index) {
    return labels[index];
  }

  /** 0: there are no core points. */
  @Override
  public int size() {
    return 0;
  }

  @Override
  public long instances() {
    return instances;
  }

  /** 0: MOA measures its learners with an agent of the virtual machine, which is not here. */
  @Override
  public long modelBytes() {
    return 0;
  }
}
