# The Python package: its native module, its tests.  Optional: nothing else needs Python.
# The first interpreter that has cffi, numpy, pytest and setuptools.  Debian's is the last one, because
# what apt-get installs is only there, and another one may be the first in PATH.  It is
# looked for once, when it is first used.
ifeq ($(origin PYTHON),undefined)
PYTHON = $(eval PYTHON := $(shell for p in python3 python /usr/bin/python3; do \
           $$p -c 'import cffi, numpy, pytest, setuptools' >/dev/null 2>&1 && echo $$p && break; done))$(PYTHON)
endif
PY_PACKAGE := $(BUILD)/python/motifsieve
PY_NATIVE := $(PY_PACKAGE)/_native.abi3.so
PY_SOURCES := $(wildcard python/motifsieve/*)
PY_INCLUDE = $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
PY_HEADERS := include/motifsieve.h $(wildcard include/motifsieve/*.h)
# Python's own symbols are found when the module is loaded.  The library's symbols stay inside, so that
# another libmotifsieve in the process is another one.  Its threads outlive a call: see SHARED_FLAGS.
PY_LINK = $(if $(findstring darwin,$(MACHINE)),-bundle -undefined dynamic_lookup,-shared -Wl$(comma)-z$(comma)nodelete \
          -Wl$(comma)--exclude-libs$(comma)ALL)

$(BUILD)/python/native.c: python/build_native.py $(wildcard python/*.h) $(PY_HEADERS)
	@[ -n '$(PYTHON)' ] || { echo 'make python needs a Python 3.9 or later with cffi, numpy, pytest and setuptools:' \
	  'make deps-python, or name one with PYTHON=/path/to/python3' >&2; exit 1; }
	@mkdir -p $(@D)
	$(call quietly,GEN,CC='$(CC)' $(PYTHON) $< $@ >/dev/null && touch $@)

# The generated code has no use for some of its helpers.
$(BUILD)/python/native.o: $(BUILD)/python/native.c $(BUILD)/flags
	$(call run_compiler,CC,$(CC) $(ALL_CFLAGS) -Wno-unused-function -Wno-pedantic -Wno-shadow -Wno-missing-prototypes \
	  -Ipython -I$(PY_INCLUDE) -c -o $@ $<)

$(PY_NATIVE): private PROGRAM_LDFLAGS :=
$(PY_NATIVE): $(BUILD)/python/native.o $(STATIC)
	@mkdir -p $(@D)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) $(PY_LINK) -o $@ $^ $(LDLIBS))

# The sources are links: an edited file needs no new build.  The plug-in for GPUs lies beside the module.
python: $(PY_NATIVE) $(PY_SOURCES) $(PLUGIN) ## build the Python package into build/python (PYTHON names the interpreter)
	@for file in $(PY_SOURCES); do ln -sf '$(CURDIR)'/$$file $(PY_PACKAGE)/; done
	@rm -f $(PY_PACKAGE)/libmotifsieve-cuda.*
	@for file in $(PLUGIN); do cp -f $$file $(PY_PACKAGE)/; done

# Tests need no Python: without one, and in instrumented builds, which Python cannot load, this suite
# says that it skips.  The library is there before, so that the sub-make does not build it, too.
python-if-there: $(STATIC) $(PLUGIN)
	@if [ -z '$(SANITIZE)$(TSAN)$(COVERAGE)$(FUZZ)' ] && [ -n '$(PYTHON)' ]; then \
	  $(MAKE) --no-print-directory PYTHON='$(PYTHON)' python; fi

check-python: python ## test the Python package
	@python/tests/run.sh $(BUILD) $(PYTHON)

$(BUILD)/python/overhead: $(BUILD)/python/bench/overhead.o $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS))

bench-python: python $(BUILD)/python/overhead ## measure what a query costs more from Python than from C
	@PYTHONPATH=$(BUILD)/python $(PYTHON) python/bench/overhead.py $(BUILD)/python/overhead

deps-python: ## install the Debian packages that the Python package and its tests use
	@scripts/deps_python.sh

.PHONY: python python-if-there check-python bench-python deps-python
