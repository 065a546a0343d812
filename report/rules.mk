# The files that a report consists of, as arrays in the library: report/web/, and cytoscape.js from npm.
#
# cytoscape.js draws the networks.  The source archive of a release has the package of this version in report/; the
# repository does not, and a build from it fetches the package.  Both are checked.  Without the package, npm or the
# network the build goes on, and reports say that they have no pictures.
#   make CYTOSCAPE=FILE   takes the package from a file: the .tgz of the npm registry, for builds without a network
#   make CYTOSCAPE=0      leaves it out
#   make cytoscape        fetches it again after a build that did not get it
CYTOSCAPE ?=
CYTOSCAPE_VERSION := 3.34.4
CYTOSCAPE_SHA512 := 9ac63df6d318f2259383eb083c67d2a8370f34eb78c5c8febff2bfeea505682531c65aa73245182c18d15339fd5b9094fd1da1ae6b496b9f94b68beb10cd9cb6

WEB := $(BUILD)/report/web
WEB_SRC := $(addprefix $(WEB)/,page.c style.c script.c cytoscape.c)
# The parts of the script, in the order in which the browser reads them.
WEB_SCRIPTS := $(addprefix report/web/,data.js walks.js words.js table.js network.js places.js shapes.js plots.js downloads.js report.js)
LIB_OBJ += $(WEB_SRC:.c=.o)

$(WEB)/page.c: report/web/report.html
$(WEB)/style.c: report/web/report.css
$(WEB)/script.c: $(WEB_SCRIPTS)
$(WEB)/cytoscape.c: $(WEB)/cytoscape.min.js
$(WEB_SRC): scripts/embed.sh
	@mkdir -p $(@D)
	@scripts/embed.sh ms_web_$(basename $(@F)) $(filter-out %.sh,$^) >$@

$(WEB_SRC:.c=.o): %.o: %.c $(BUILD)/flags
	$(call run_compiler,CC,$(CC) $(ALL_CFLAGS) -c -o $@ $<)

fetch_cytoscape = CYTOSCAPE='$(CYTOSCAPE)' scripts/cytoscape.sh $(CYTOSCAPE_VERSION) $(CYTOSCAPE_SHA512) $(WEB)
# What `make dist` adds to the files of the repository: the package, and its licence beside it
CYTOSCAPE_PACKAGE := $(BUILD)/dist/$(CYTOSCAPE_VERSION)/cytoscape-$(CYTOSCAPE_VERSION).tgz
$(CYTOSCAPE_PACKAGE):
	@CYTOSCAPE='$(CYTOSCAPE)' scripts/cytoscape.sh $(CYTOSCAPE_VERSION) $(CYTOSCAPE_SHA512) $(@D) --package
$(WEB)/cytoscape.min.js: $(WEB)/cytoscape.choice
	@$(fetch_cytoscape)

# The file changes with what is asked for.
$(WEB)/cytoscape.choice: $(if $(AS_BUILT),,FORCE)
	$(call keep,$(CYTOSCAPE_VERSION) $(CYTOSCAPE_SHA512) $(CYTOSCAPE))

cytoscape: ## fetch cytoscape.js from npm, with which reports draw networks
	@$(fetch_cytoscape) --must
	@$(MAKE) --no-print-directory all

.PHONY: cytoscape
