/**
 * Cells: the input space divided around centres, with an engine of its own for each part, and the
 * contests that decide which engine predicts where.
 */
@NullMarked
package io.github.avm4j.internal.cells;

import org.jspecify.annotations.NullMarked;
