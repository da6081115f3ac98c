# SPDX-License-Identifier: MIT
# The passes' tests: weft-opt and FileCheck on files of IR. The SPIR-V reader's: spirv-as, weft-spirv and FileCheck.
import os

import lit.formats

config.name = "passes"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".spvasm"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["exec_root"]
config.environment["PATH"] = os.pathsep.join(
    [lit_config.params["weft_opt"], lit_config.params["llvm"], config.environment["PATH"]])
