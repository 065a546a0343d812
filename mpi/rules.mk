# motifsieve-mpi, with MPI=1: the tool for the ranks of an MPI program (docs/MPI.md).
MPI ?= 0
# the compiler of Open MPI or MPICH
MPICC ?= mpicc

ifeq ($(MPI),1)
MPI_OBJ := $(call obj,$(wildcard mpi/*.c))
MPI_BINARY := $(BUILD)/motifsieve-mpi
all: $(MPI_BINARY)

$(BUILD)/mpi/wire.o: mpi/wire.c $(BUILD)/flags $(BUILD)/mpicc
	@mkdir -p $(@D)
	$(call run_compiler,MPICC,$(MPICC) $(ALL_CFLAGS) -c -o $@ $<)

$(MPI_BINARY): $(MPI_OBJ) $(filter-out $(BUILD)/cli/main.o,$(CLI_OBJ)) $(STATIC)
	$(call quietly,LINK,$(MPICC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS))

# measures what ranges cost
$(BUILD)/bench/ranks_handover: $(BUILD)/bench/ranks_handover.o $(filter-out $(BUILD)/mpi/main.o $(BUILD)/mpi/launch.o $(BUILD)/mpi/parts.o,$(MPI_OBJ)) $(STATIC)
	$(call quietly,LINK,$(MPICC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS))

# a run with long contributions, for tests/mpi.sh
$(BUILD)/tests/mpi/pieces: $(BUILD)/tests/mpi/pieces.o $(filter-out $(BUILD)/mpi/main.o $(BUILD)/mpi/launch.o $(BUILD)/mpi/parts.o,$(MPI_OBJ)) $(STATIC)
	$(call quietly,LINK,$(MPICC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS))
build-tests: $(BUILD)/tests/mpi/pieces

# runs that check themselves, with faults, for tests/mpi.sh
$(BUILD)/tests/mpi/checked: $(call obj,tests/mpi/checked.c tests/support/checked_runs.c) $(filter-out $(BUILD)/mpi/main.o $(BUILD)/mpi/launch.o $(BUILD)/mpi/parts.o,$(MPI_OBJ)) $(STATIC)
	$(call quietly,LINK,$(MPICC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS))
build-tests: $(BUILD)/tests/mpi/checked

# the same tool with the other MPI, where both are installed, for tests/mpi_other.sh
OTHER_MPICC ?= $(shell command -v $(if $(findstring mpich,$(shell $(MPICC) -show 2>/dev/null)),mpicc.openmpi,mpicc.mpich))
$(BUILD)/other-mpi/wire.o: mpi/wire.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call run_compiler,MPICC,$(OTHER_MPICC) $(ALL_CFLAGS) -c -o $@ $<)
$(BUILD)/other-mpi/motifsieve-mpi: $(filter-out $(BUILD)/mpi/wire.o,$(MPI_OBJ)) $(BUILD)/other-mpi/wire.o $(filter-out $(BUILD)/cli/main.o,$(CLI_OBJ)) $(STATIC)
	$(call quietly,LINK,$(OTHER_MPICC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS))
build-tests: $(if $(OTHER_MPICC),$(BUILD)/other-mpi/motifsieve-mpi)

$(BUILD)/mpicc: FORCE
	$(call keep,$(MPICC) $(shell $(MPICC) -show 2>/dev/null))

-include $(MPI_OBJ:.o=.d) $(BUILD)/tests/mpi/pieces.d $(BUILD)/tests/mpi/checked.d
endif
