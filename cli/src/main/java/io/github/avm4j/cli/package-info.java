// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The avm command. Every command is a class; what several of them take is a mixin. */
package io.github.avm4j.cli;
