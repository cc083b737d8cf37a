// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.examples

import io.github.avm4j.Avm
import java.util.Random
import kotlin.math.abs
import kotlin.math.sin

/** Regression on a stream in Kotlin: the mean miss on the last thousand of [instances]. */
fun meanMiss(instances: Int): Double {
    val learner = Avm.regressor().budget(100).build()
    val random = Random(1)
    var misses = 0.0
    repeat(instances) { t ->
        val x = doubleArrayOf(4 * random.nextDouble(), random.nextDouble())
        val y = sin(x[0]) + x[1]
        if (t >= instances - 1000) {
            misses += abs(learner.predict(*x) - y)
        }
        learner.learn(x, y)
    }
    return misses / 1000
}

fun main() {
    println("mean miss: %.4f".format(meanMiss(10_000)))
}
