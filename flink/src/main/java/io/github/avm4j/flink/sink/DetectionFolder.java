// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import io.github.avm4j.flink.record.Detection;
import java.net.URI;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.functions.sink.filesystem.OutputFileConfig;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/**
 * Creates sinks of detections as files of JSON lines in a folder. A file appears when a checkpoint
 * completes, so readers see every detection once; until then its name begins with a dot.
 */
public final class DetectionFolder {
  private DetectionFolder() {}

  /**
   * {@return a sink of files {@code NAME-….jsonl}}
   *
   * @param folder an address that Flink's file systems know
   * @param name begins the names of the files
   * @param start file of the detector whose feature names are used
   */
  public static FileSink<Detection> at(URI folder, String name, byte[] start) {
    return FileSink.forRowFormat(new Path(folder), new DetectionFormat("", start))
        .withBucketAssigner(new BasePathBucketAssigner<>())
        .withRollingPolicy(OnCheckpointRollingPolicy.build())
        .withOutputFileConfig(new OutputFileConfig(name, ".jsonl"))
        .build();
  }
}
