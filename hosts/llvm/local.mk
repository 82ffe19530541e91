# hosts/llvm
