# The targets install, uninstall and dist.  Folders are variables with the names of the
# GNU conventions; DESTDIR precedes all of them.  Nothing here needs git.
PREFIX ?= /usr/local
EXEC_PREFIX ?= $(PREFIX)
BINDIR ?= $(EXEC_PREFIX)/bin
LIBDIR ?= $(EXEC_PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATAROOTDIR ?= $(PREFIX)/share
MANDIR ?= $(DATAROOTDIR)/man
DOCDIR ?= $(DATAROOTDIR)/doc/motifsieve
EXAMPLESDIR ?= $(DOCDIR)/examples
PKGCONFIGDIR ?= $(LIBDIR)/pkgconfig
BASHCOMPDIR ?= $(DATAROOTDIR)/bash-completion/completions
ZSHCOMPDIR ?= $(DATAROOTDIR)/zsh/site-functions

INSTALL ?= install
INSTALL_PROGRAM ?= $(INSTALL) -m 755
INSTALL_DATA ?= $(INSTALL) -m 644

# The tool that prints its own manual.  If you build for another machine, name a tool
# that runs on this one: make install TOOL=/path/to/motifsieve
TOOL ?= $(BINARY)

# ---- manual pages and completion ---------------------------------------------------------
# There is one page for each command of one word in the table of cli/commands.c.
COMMANDS := $(shell sed -n 's/^ *{MS_COMMAND_[A-Z_]*, "\([a-z-]*\)", .*/\1/p' cli/commands.c)
MAN1 := motifsieve.1 $(COMMANDS:%=motifsieve-%.1)
MAN3 := libmotifsieve.3
PAGES := $(addprefix $(BUILD)/man/,$(MAN1) $(MAN3))
COMPLETIONS := $(BUILD)/completion/motifsieve $(BUILD)/completion/_motifsieve

$(BUILD)/man/motifsieve.1: $(BINARY)
	@mkdir -p $(@D)
	$(TOOL) help --man > $@

$(BUILD)/man/motifsieve-%.1: $(BINARY)
	@mkdir -p $(@D)
	$(TOOL) help --man $* > $@

# The parts of the header, in the order in which motifsieve.h includes them.
HEADER_PARTS := $(shell sed -n 's|^\#include "\(motifsieve/.*\)"|include/\1|p' include/motifsieve.h)
$(BUILD)/man/libmotifsieve.3: include/motifsieve.h $(HEADER_PARTS) scripts/library_manual.awk
	@mkdir -p $(@D)
	awk -v version=$(VERSION) -f scripts/library_manual.awk include/motifsieve.h $(HEADER_PARTS) > $@

$(BUILD)/completion/motifsieve: $(BINARY)
	@mkdir -p $(@D)
	$(TOOL) help --completion bash > $@

$(BUILD)/completion/_motifsieve: $(BINARY)
	@mkdir -p $(@D)
	$(TOOL) help --completion zsh > $@

# Folders below the prefix are written as ${prefix}/..., so that the prefix can be moved.
below_prefix = $(patsubst $(PREFIX)/%,$${prefix}/%,$1)
pc_values = prefix=$(PREFIX) libdir=$(call below_prefix,$(LIBDIR)) \
            includedir=$(call below_prefix,$(INCLUDEDIR)) version=$(VERSION)

# This file is rebuilt each time, because it depends on the command line.
$(BUILD)/motifsieve.pc: packaging/motifsieve.pc.in FORCE
	@mkdir -p $(@D)
	@sed $(foreach v,$(pc_values),-e 's|@$(subst =,@|,$v)|') $< > $@

docs: $(PAGES) $(COMPLETIONS) ## make the manual pages and the completion for shells

# ---- install ------------------------------------------------------------------------
# The documentation keeps its folders, so that its links work.
DOCS := README.md CHANGELOG.md CONTRIBUTING.md LICENSE $(wildcard docs/*.md docs/*.json)
# All example files except those that the examples make.
EXAMPLES := $(sort $(shell find examples -type f ! -path examples/library/screen ! -path examples/library/write \
            ! -path 'examples/notebooks/results/*' ! -path '*/.ipynb_checkpoints/*'))
DOC_FILES := $(addprefix $(DOCDIR)/,$(DOCS) cytoscape.LICENSE) $(EXAMPLES:examples/%=$(EXAMPLESDIR)/%)
# The innermost folders come first, as rmdir needs them.
DOC_DIRS := $(patsubst %/,%,$(sort $(dir $(EXAMPLES:examples/%=$(EXAMPLESDIR)/%)))) \
            $(EXAMPLESDIR) $(DOCDIR)/docs $(DOCDIR)

install-tool: tool docs ## install the tool, its manual and the examples alone; LINK=static: a tool for any Linux
	$(INSTALL) -d $(addprefix $(DESTDIR),$(BINDIR) $(MANDIR)/man1 $(BASHCOMPDIR) $(ZSHCOMPDIR) $(DOC_DIRS))
	$(INSTALL_PROGRAM) $(BINARY) $(DESTDIR)$(BINDIR)/motifsieve
	$(INSTALL_DATA) $(addprefix $(BUILD)/man/,$(MAN1)) $(DESTDIR)$(MANDIR)/man1
	$(INSTALL_DATA) $(BUILD)/completion/motifsieve $(DESTDIR)$(BASHCOMPDIR)/motifsieve
	$(INSTALL_DATA) $(BUILD)/completion/_motifsieve $(DESTDIR)$(ZSHCOMPDIR)/_motifsieve
	@for file in $(DOCS); do $(INSTALL_DATA) $$file $(DESTDIR)$(DOCDIR)/$$file || exit 1; done
	@if [ -s $(WEB)/cytoscape.LICENSE ]; then $(INSTALL_DATA) $(WEB)/cytoscape.LICENSE $(DESTDIR)$(DOCDIR)/cytoscape.LICENSE; fi
	@for file in $(EXAMPLES:examples/%=%); do \
	  $(INSTALL_DATA) examples/$$file $(DESTDIR)$(EXAMPLESDIR)/$$file || exit 1; done

install: all install-tool $(BUILD)/motifsieve.pc ## install into PREFIX (/usr/local), below DESTDIR if given
	$(INSTALL) -d $(addprefix $(DESTDIR),$(LIBDIR) $(INCLUDEDIR)/motifsieve $(PKGCONFIGDIR) $(MANDIR)/man3)
	$(if $(MPI_BINARY),$(INSTALL_PROGRAM) $(MPI_BINARY) $(DESTDIR)$(BINDIR)/motifsieve-mpi)
	$(INSTALL_DATA) $(STATIC) $(DESTDIR)$(LIBDIR)/libmotifsieve.a
	$(INSTALL_PROGRAM) $(SHARED) $(DESTDIR)$(LIBDIR)/$(SO_FILE)
	ln -sf $(SO_FILE) $(DESTDIR)$(LIBDIR)/$(SO_NAME)
	ln -sf $(SO_NAME) $(DESTDIR)$(LIBDIR)/$(SO_LINK)
	$(if $(PLUGIN),$(INSTALL_PROGRAM) $(PLUGIN) $(DESTDIR)$(LIBDIR)/$(PLUGIN_FILE))
	$(INSTALL_DATA) include/motifsieve.h $(DESTDIR)$(INCLUDEDIR)/motifsieve.h
	$(INSTALL_DATA) $(HEADER_PARTS) $(DESTDIR)$(INCLUDEDIR)/motifsieve
	$(INSTALL_DATA) $(BUILD)/motifsieve.pc $(DESTDIR)$(PKGCONFIGDIR)/motifsieve.pc
	$(INSTALL_DATA) $(addprefix $(BUILD)/man/,$(MAN3)) $(DESTDIR)$(MANDIR)/man3

uninstall: ## remove the files that make install with the same folders installed
	rm -f $(addprefix $(DESTDIR),$(BINDIR)/motifsieve $(BINDIR)/motifsieve-mpi \
	  $(addprefix $(LIBDIR)/,libmotifsieve.a $(SO_FILE) $(SO_NAME) $(SO_LINK) $(PLUGIN_FILE)) \
	  $(INCLUDEDIR)/motifsieve.h $(addprefix $(INCLUDEDIR)/,$(HEADER_PARTS:include/%=%)) $(PKGCONFIGDIR)/motifsieve.pc \
	  $(addprefix $(MANDIR)/man1/,$(MAN1)) $(addprefix $(MANDIR)/man3/,$(MAN3)) \
	  $(BASHCOMPDIR)/motifsieve $(ZSHCOMPDIR)/_motifsieve \
	  $(DOC_FILES))
	-rmdir $(addprefix $(DESTDIR),$(DOC_DIRS) $(INCLUDEDIR)/motifsieve)

# ---- the source archive, and a release ---------------------------------------------------
DIST ?= motifsieve-$(VERSION).tar.gz
# An unpacked archive has the package of cytoscape.js in it, or was made without.
DIST_PACKAGE := $(if $(filter 0,$(CYTOSCAPE)),,$(if $(wildcard .git),$(CYTOSCAPE_PACKAGE)))

dist: $(DIST_PACKAGE) ## make the source archive; the same bytes for the same sources
	@scripts/dist.sh $(VERSION) $(DIST) $(if $(DIST_PACKAGE),$(dir $(DIST_PACKAGE)))

release: ## make all files of a release in dist/, from the source archive alone (root, Debian; docs/RELEASE.md)
	@packaging/release.sh

.PHONY: docs install install-tool uninstall dist release
