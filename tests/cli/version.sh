lctool --version | sed -E 's/^(lctool +)[0-9a-z.-]+$/\1COMMIT/; s/^(cpu +)[a-z0-9]+$/\1ISA/; s/^(backends +cpu).*/\1/; s/[0-9]+(\.[0-9]+)+/N/g'
