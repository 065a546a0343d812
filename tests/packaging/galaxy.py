"""Runs the tests in the Galaxy tools of packaging/galaxy without Galaxy.

Usage: galaxy.py MOTIFSIEVE, in the top folder, with a Python that has Cheetah, Galaxy's language of templates.  It expands the
macros, fills in the command of each test as Galaxy does (defaults, sanitizers, validators), runs it in a shell, and checks what
the test asserts. Every text is then replaced by one that a shell would take apart, which has to reach the tool as it is. With
GALAXY_XSD, the path of Galaxy's galaxy.xsd, the tools are also validated against it by xmllint.  Prints a line for each check that
fails, and at the end the numbers of checks and of failures.
"""

import copy
import os
import re
import shutil
import string
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from Cheetah.Template import Template

FOLDER = "packaging/galaxy"
HOSTILE = "'; touch broken; \" $(touch broken) `touch broken` \\ # * ~ -- {a,b} ${HOME} |&<>!"
checks = failures = 0


def check(what, holds, detail=""):
    global checks, failures
    checks += 1
    if not holds:
        failures += 1
        print(f"FAILED: {what}{': ' if detail else ''}{str(detail)[:600]}")
    return holds


# ---- macros -----------------------------------------------------------------------------------
def expand(node, macros):
    """Replace the elements `expand` by what the macros hold, and remove the definitions."""
    for place in range(len(node) - 1, -1, -1):
        child = node[place]
        if child.tag == "macros":
            node.remove(child)
        elif child.tag == "expand":
            body = copy.deepcopy(macros[child.get("macro")])
            expand(body, macros)
            node[place:place + 1] = list(body)
        else:
            expand(child, macros)


def load(path):
    """Return a tool without macros, and its text."""
    shared = ET.parse(f"{FOLDER}/macros.xml").getroot()
    tool = ET.parse(path).getroot()
    assert [e.text for e in tool.findall("macros/import")] == ["macros.xml"]
    expand(tool, {e.get("name"): e for e in shared.findall("xml")})
    text = ET.tostring(tool, encoding="unicode")
    for token in shared.findall("token"):
        value = token.text.strip()
        text = text.replace(token.get("name"), value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;"))
    return ET.fromstring(text), text


# ---- parameters ---------------------------------------------------------------------------------
class Value:
    """A parameter as a template sees it."""

    def __init__(self, text, truth):
        self.text, self.truth = text, truth

    def __str__(self):
        return self.text

    def __bool__(self):
        return self.truth


def sanitized(param, text):
    """Return a text as Galaxy hands it to the command."""
    sanitizer = param.find("sanitizer")
    assert sanitizer is not None, f"{param.get('name')} has no sanitizer"
    valid = {c for part in sanitizer.find("valid").get("initial").split(",") for c in getattr(string, part.split(".")[1])}
    valid |= {e.get("value") for e in sanitizer.findall("valid/add")}
    valid -= {e.get("value") for e in sanitizer.findall("valid/remove")}
    mapped = {e.get("source"): e.get("target") for e in sanitizer.findall("mapping/add")}
    return "".join(c if c in valid else mapped.get(c, "X") for c in text)


def name_of(param):
    return param.get("name") or param.get("argument").lstrip("-").replace("-", "_")


def children(node, name):
    """The elements of a test that give a parameter a value."""
    return [] if node is None else [e for e in node if e.get("name") == name]


class Filler:
    """The state of a tool for one test."""

    def __init__(self, where, work, replaced=None):
        self.where, self.work, self.replaced, self.texts, self.files = where, work, replaced, [], 0

    def data(self, value):
        # Galaxy's files have names that say nothing of their form
        self.files += 1
        path = os.path.join(self.work, f"dataset_{self.files}.dat")
        shutil.copy(f"{FOLDER}/test-data/{value}", path)
        return path

    def param(self, param, given):
        name, kind = name_of(param), param.get("type")
        value = given[0].get("value") if given else param.get("value")
        if kind == "data":
            check(f"{self.where}: {name} is given or optional", value or param.get("optional") == "true")
            return Value(self.data(value) if value else "None", bool(value))
        if kind == "boolean":
            truth = (value or param.get("checked")) == "true"
            return Value(param.get("truevalue" if truth else "falsevalue", str(truth).lower()), truth)
        if kind == "select":
            options = param.findall("option")
            value = value or next(o.get("value") for o in options if o.get("selected") == "true")
            check(f"{self.where}: {name} has the option {value}", value in [o.get("value") for o in options])
            return Value(value, True)
        if kind in ("integer", "float"):
            check(f"{self.where}: {name} is given or optional", value or param.get("optional") == "true")
            if value and kind == "integer":
                check(f"{self.where}: {name} is in its range", int(param.get("min", value)) <= int(value) <= int(param.get("max", value)))
            return Value(value or "", bool(value))
        assert kind == "text", kind
        value = value or ""
        free = any(e.get("source") == "'" for e in param.findall("sanitizer/mapping/add"))
        if free and given and len(self.texts) == self.replaced:
            value = HOSTILE
        if free and given:
            self.texts.append(value)
        for validator in param.findall("validator"):
            fits = value if validator.get("type") == "empty_field" else re.match(validator.text, value)
            check(f"{self.where}: {name} passes its validators", fits, value)
        return Value(sanitized(param, value), bool(value))

    def fill(self, node, test):
        state, known = {}, set()
        for item in node:
            if item.tag not in ("param", "conditional", "repeat"):
                continue
            name = name_of(item)
            known.add(name)
            given = children(test, name)
            if item.tag == "param":
                state[name] = self.param(item, given)
            elif item.tag == "repeat":
                state[name] = [self.fill(item, one) for one in given]
                check(f"{self.where}: enough of {name}", len(given) >= int(item.get("min", 0)))
            else:
                inner = given[0] if given else None
                chooser = item.find("param")
                choice = self.param(chooser, children(inner, name_of(chooser)))
                branch = next(w for w in item.findall("when") if w.get("value") == str(choice))
                rest = copy.deepcopy(branch)
                rest.insert(0, copy.deepcopy(chooser))
                state[name] = self.fill(rest, inner)
        if test is not None:
            named = {e.get("name") for e in test if e.tag in ("param", "conditional", "repeat")}
            check(f"{self.where}: all that the test gives exists", named <= known, named - known)
        return state


# ---- tests --------------------------------------------------------------------------------------
def holds(assertion, text):
    lines = text.splitlines()
    kind = assertion.tag
    if kind == "has_text":
        return assertion.get("text") in text
    if kind == "has_line":
        return assertion.get("line") in lines
    if kind == "has_n_lines":
        return len(lines) == int(assertion.get("n"))
    raise NotImplementedError(kind)


def command_of(tool, state, work):
    """Return the command of a tool, after its configuration files were written."""
    names = {o.get("name"): os.path.join(work, o.get("name") + ".dat") for o in tool.findall("outputs/data")}
    space = {**state, **names}
    for file in tool.findall("configfiles/configfile"):
        space[file.get("name")] = os.path.join(work, file.get("name") + ".config")
        with open(space[file.get("name")], "w", encoding="utf-8") as out:
            out.write(str(Template(file.text, searchList=[space])))
    command = str(Template(tool.find("command").text, searchList=[space]))
    return " ".join(command.split("\n")), names


def run(command, work, path):
    return subprocess.run(["/bin/bash", "-c", "set -e; " + command], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=60, env={"PATH": f"{path}:/usr/bin:/bin", "LC_ALL": "C", "GALAXY_SLOTS": "2", "GALAXY_MEMORY_MB": "900"})


def run_test(tool, test, where, binaries):
    with tempfile.TemporaryDirectory(prefix="with a blank ") as work:
        state = Filler(where, work).fill(tool.find("inputs"), test)
        command, names = command_of(tool, state, work)
        done = run(command, work, binaries)
        failed = test.get("expect_failure") == "true"
        if not check(f"{where}: exit status", (done.returncode != 0) == failed, done.stderr or command):
            return
        for assertion in test.findall("assert_stderr/*"):
            check(f"{where}: {assertion.tag} in the messages", holds(assertion, done.stderr), done.stderr)
        values = {name: value.truth for name, value in state.items() if isinstance(value, Value)}
        there = [o for o in tool.findall("outputs/data") if all(eval(f.text, {}, values) for f in o.findall("filter"))]
        if not failed:
            check(f"{where}: number of outputs", len(there) == int(test.get("expect_num_outputs")))
        for wanted in test.findall("output"):
            output = next(o for o in there if o.get("name") == wanted.get("name"))
            path = os.path.join(work, output.get("from_work_dir", "")) if output.get("from_work_dir") else names[output.get("name")]
            if check(f"{where}: {wanted.get('name')} is written", os.path.isfile(path)):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                check(f"{where}: {wanted.get('name')} has the format", output.get("format") == wanted.get("ftype"))
                for assertion in wanted.findall("assert_contents/*"):
                    check(f"{where}: {assertion.tag} {assertion.attrib}", holds(assertion, text), text)


def run_hostile(tool, test, where):
    """Replace each text by one that a shell would take apart; the tool is a script that shows its arguments."""
    place = 0
    while True:
        with tempfile.TemporaryDirectory(prefix="with a blank ") as work:
            filler = Filler(where, work, place)
            command, _ = command_of(tool, filler.fill(tool.find("inputs"), test), work)
            if place >= len(filler.texts):
                return
            os.mkdir(f"{work}/bin")
            with open(f"{work}/bin/motifsieve", "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
            os.chmod(f"{work}/bin/motifsieve", 0o755)
            done = run(command, work, f"{work}/bin")
            check(f"{where}: text {place} reaches the tool as it is", HOSTILE in done.stdout.split("\n"), done.stderr or done.stdout)
            check(f"{where}: text {place} runs nothing", not os.path.exists(f"{work}/broken"))
        place += 1


def main(motifsieve):
    motifsieve = os.path.abspath(motifsieve)
    said = subprocess.run([motifsieve, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    tools = sorted(name for name in os.listdir(FOLDER) if name.endswith(".xml") and name != "macros.xml")
    check("there are four tools", tools == [f"motifsieve_{c}.xml" for c in ("census", "compare", "list", "match")], tools)
    for name in tools:
        tool, text = load(f"{FOLDER}/{name}")
        check(f"{name}: no token is left", not re.search("@[A-Z_]+@", text), re.findall("@[A-Z_]+@", text))
        check(f"{name}: the name of the file", tool.get("id") + ".xml" == name)
        check(f"{name}: version", tool.get("version") == said[1] + "+galaxy0" and tool.find("requirements/requirement").get("version") == said[1])
        for part in re.split(r"&&", tool.find("command").text):
            command = re.search(r"motifsieve (\w+)", part).group(1)
            options = subprocess.run([motifsieve, command, "--help=all"], stdout=subprocess.PIPE, text=True, check=True).stdout
            for option in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", part)) | {
                    v for p in tool.iter("param") for v in [p.get("truevalue")] if v and command != "report"}):
                check(f"{name}: '{command}' has the option {option}", re.search(rf"{option}(?![\w-])", options))
        if os.environ.get("GALAXY_XSD"):
            with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
                file.write(text)
                file.flush()
                done = subprocess.run(["xmllint", "--noout", "--schema", os.environ["GALAXY_XSD"], file.name], stderr=subprocess.PIPE, text=True)
                check(f"{name}: valid by galaxy.xsd", done.returncode == 0, done.stderr)
        for number, test in enumerate(tool.findall("tests/test")):
            where = f"{name}: test {number + 1}"
            run_test(tool, test, where, os.path.dirname(motifsieve))
            run_hostile(tool, test, where)
    print(f"{checks} checks, {failures} failures")
    return failures > 0


sys.exit(main(sys.argv[1]))
