"""Compilers, bundlers and build systems."""

from __future__ import annotations

from .sign import KnownTool, failure, state, success

BUILDS = (
    KnownTool("make", ("make", "gmake"), (
        failure("No rule to make target", r"^g?make(?:\[\d+\])?: \*\*\* No rule to make target [`'‘]([^'’\n]{1,80})['’]", "failed (no rule to make target {0})"),
        failure("*** [", r"^g?make(?:\[\d+\])?: \*\*\* \[(?:[^\]\n]{0,120}?: )?([^\]:\n]{1,80})\] (?:Error \d+|错误 \d+|Segmentation fault|Terminated|Interrupt|Killed)", "failed ({0})"),
        failure("***", r"^(?:Makefile|makefile|GNUmakefile|\S{1,80}\.mk):\d+: \*\*\* (.{1,80}?)\.? +Stop\.$", "failed ({0})"),
        failure("No targets", r"^g?make: \*\*\* No targets", "failed (no targets)"),
        state("Nothing to be done", r"^g?make(?:\[\d+\])?: Nothing to be done for [`'‘]([^'’\n]{1,80})['’]", "nothing to be done"),
        state("is up to date", r"^g?make(?:\[\d+\])?: [`'‘]([^'’\n]{1,80})['’] is up to date", "up to date"),
    )),
    KnownTool("just", ("just", "task", "mise run", "invoke", "inv"), (
        failure("error: Recipe", r"^error: Recipe `([^`\n]{1,60})` failed", "failed ({0})"),
        failure("Justfile does not contain", r"^error: Justfile does not contain recipe `?([^`\n]{1,60})`?", "failed (no recipe {0})"),
        failure("task: ", r"^task: Failed to run task \"([^\"\n]{1,60})\"", "failed ({0})"),
        failure("ERROR task failed", r"^(?:\[[^\]\n]{1,40}\] )?ERROR task failed", "failed"),
    )),
    KnownTool("cmake", ("cmake",), (
        failure("CMake Error", r"^CMake Error(?: at (\S{1,120}:\d+))?", "failed ({0})"),
        failure("Configuring incomplete", r"^-- Configuring incomplete, errors occurred!", "failed"),
        success("Build files have been written", r"^-- Build files have been written to: (\S{1,120})", "configured"),
        success("Built target", r"^\[100%\] Built target (\S{1,60})", "built {0}"),
    )),
    KnownTool("ninja", ("ninja", "meson compile"), (
        failure("ninja: build stopped", r"^ninja: build stopped: (.{1,80}?)\.$", "failed ({0})"),
        failure("ninja: error", r"^ninja: error: (.{1,80})$", "failed ({0})"),
        state("no work to do", r"^ninja: no work to do\.", "no work to do"),
    )),
    KnownTool("gcc", ("gcc", "g++", "clang", "clang++", "cc", "c++"), (
        failure("error: ", r"^\S{1,200}:\d+:\d+: (?:fatal )?error: ", "failed ({n} errors)"),
        failure("undefined reference", r"^.{0,200}undefined reference to [`']([^'\n]{1,80})'", "failed (undefined reference to {0})"),
        failure("ld returned", r"^collect2: error: ld returned \d+ exit status", "failed (linker)"),
        failure("linker command failed", r"^clang(?:\+\+)?: error: linker command failed", "failed (linker)"),
    )),
    KnownTool("cargo build", ("cargo build", "cargo check", "cargo run", "cargo install", "cargo b", "cargo r", "cargo bench", "cargo doc", "maturin"), (
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`.{0,60}due to ([1-9]\d*) previous errors?", "failed ({1} errors)"),
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`", "failed"),
        failure("error: no matching package", r"^error: no matching package named `([^`\n]{1,80})`", "failed (no package {0})"),
        state("generated", r"^warning: `[^`\n]{1,80}` \([^)\n]{1,40}\) generated (\d+ warnings?)", "built, {0}"),
        success("Finished", r"^\s{0,8}Finished `?(\w{1,40})`? ?(?:profile )?\[", "built"),
    )),
    KnownTool("go build", ("go build", "go install", "go run", "go generate"), (
        failure(".go:", r"^\.{0,2}/?\S{1,200}\.go:\d+:\d+: \S", "failed ({n} errors)"),
        failure("no required module provides", r"^.{0,200}no required module provides package (\S{1,120});", "failed (no module provides {0})"),
        failure("cannot find package", r"^.{0,200}cannot find package", "failed"),
        failure("go: ", r"^go: (?:errors parsing|cannot find main module|go\.mod file not found)", "failed"),
    ), in_scripts=False),
    KnownTool("gradle", ("gradle", "gradlew"), (
        failure("BUILD FAILED", r"^BUILD FAILED in (\S.{0,20})$", "build failed"),
        failure("BUILD FAILED", r"^BUILD FAILED", "build failed"),
        failure("FAILURE: Build failed", r"^FAILURE: Build failed", "build failed"),
        success("BUILD SUCCESSFUL", r"^BUILD SUCCESSFUL in (\S.{0,20})$", "build successful"),
    )),
    KnownTool("maven", ("mvn", "mvnw"), (
        failure("BUILD FAILURE", r"^(?:\[(?:ERROR|INFO)\] )?BUILD FAILURE", "build failed"),
        failure("COMPILATION ERROR", r"^\[ERROR\] COMPILATION ERROR", "failed (does not compile)"),
        success("BUILD SUCCESS", r"^(?:\[INFO\] )?BUILD SUCCESS", "build successful"),
    )),
    KnownTool("dotnet", ("dotnet", "msbuild"), (
        failure("Build FAILED", r"^Build FAILED\.", "build failed"),
        failure("error CS", r"^\s{0,8}\S{1,200}\(\d+,\d+\): error (CS\d+):", "build failed ({0})"),
        failure("Test Run Failed", r"^Test Run Failed\.", "failed"),
        failure("MSBUILD : error", r"^MSBUILD : error (MSB\d+):", "failed ({0})"),
        success("Build succeeded", r"^Build succeeded\.", "build succeeded"),
    )),
    KnownTool("swift", ("swift", "xcodebuild"), (
        failure("** BUILD FAILED **", r"^\*\* BUILD FAILED \*\*", "build failed"),
        failure("** TEST FAILED **", r"^\*\* TEST FAILED \*\*", "tests failed"),
        failure("error: ", r"^(?:\S{1,200}\.swift:\d+:\d+: )?error: (?:fatalError|emit-module|.{1,80})$", "failed"),
        success("** BUILD SUCCEEDED **", r"^\*\* BUILD SUCCEEDED \*\*", "build succeeded"),
        success("Build complete!", r"^Build complete!", "build complete"),
    ), in_scripts=False),
    KnownTool("webpack", ("webpack", "webpack-cli", "ng build", "react-scripts build"), (
        failure("compiled with", r"^(?:webpack [\d.]{1,12} )?compiled with ([1-9]\d*) errors?", "failed ({0} errors)"),
        failure("ERROR in", r"^ERROR in (\S{1,160})", "failed ({0})"),
        failure("Failed to compile", r"^Failed to compile\.", "failed to compile"),
        state("compiled with", r"^(?:webpack [\d.]{1,12} )?compiled with (\d+ warnings?)", "compiled, {0}"),
        success("compiled successfully", r"^(?:webpack [\d.]{1,12} )?compiled successfully", "compiled"),
        success("Compiled successfully", r"^Compiled successfully", "compiled"),
    )),
    KnownTool("vite", ("vite", "rollup", "tsup", "next build", "astro build", "nuxt build"), (
        failure("error during build", r"^(?:✗|x) Build failed|^error during build:", "build failed"),
        failure("Build failed", r"^(?:✗|x) Build failed in (\S{1,12})", "build failed"),
        failure("Failed to compile", r"^Failed to compile\.", "failed to compile"),
        success("built in", r"^✓ built in (\S{1,12})", "built"),
        success("Compiled successfully", r"^\s{0,4}✓ Compiled successfully", "compiled"),
        success("Build success", r"^.{0,20}Build success in", "built"),
    )),
    KnownTool("esbuild", ("esbuild",), (
        failure("error", r"^([1-9]\d*) errors?$", "failed ({0} errors)"),
        success("Done in", r"^.{0,4}Done in \d+ms", "built"),
    ), in_scripts=False),
    KnownTool("turbo", ("turbo", "nx", "lerna"), (
        failure("Failed:", r"^\s{0,4}Failed:\s{1,6}(\S{1,80})", "failed ({0})"),
        failure("Running target", r"^.{0,10}Running target .{1,80} failed", "failed"),
        success("Tasks:", r"^\s{0,4}Tasks:\s{1,6}(\d+) successful, \1 total", "{0} tasks successful"),
    )),
    KnownTool("bazel", ("bazel", "bazelisk"), (
        failure("Build did NOT complete", r"^(?:ERROR|FAILED): Build did NOT complete successfully", "build failed"),
        success("Build completed successfully", r"^INFO: Build completed successfully", "build completed"),
    )),
    KnownTool("sbt", ("sbt",), (
        failure("[error]", r"^\[error\] \(([^)\n]{1,80})\) ", "failed ({0})"),
        success("[success]", r"^\[success\] ", "succeeded"),
    )),
    KnownTool("mix", ("mix",), (
        failure("== Compilation error", r"^== Compilation error in file (\S{1,160}) ==", "failed ({0} does not compile)"),
        failure("** (Mix)", r"^\*\* \(Mix\) (.{1,80})", "failed ({0})"),
    )),
    KnownTool("docker build", ("docker build", "docker buildx", "docker compose build", "podman build"), (
        failure("failed to solve", r"^(?:ERROR: )?failed to solve: (.{1,80})", "failed ({0})"),
        failure("The command '", r"^The command '.{1,300}' returned a non-zero code: ([1-9]\d*)", "failed (exit code {0})"),
        success("naming to", r"^#\d+ naming to (\S{1,120})", "built {0}"),
        success("Successfully tagged", r"^Successfully tagged (\S{1,120})", "built {0}"),
        success("Successfully built", r"^Successfully built ([0-9a-f]{6,64})", "built {0}"),
    )),
    KnownTool("javac", ("javac", "kotlinc", "scalac"), (
        failure("error", r"^([1-9]\d*) errors?$", "failed ({0} errors)"),
    ), in_scripts=False),
)  # fmt: skip
