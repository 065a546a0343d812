// Runs the nf-core style modules without Nextflow: the script of each module, which is Groovy, is evaluated with the inputs of
// its test, and bash runs the command that results, as Nextflow would.
// Usage: groovy nextflow.groovy MODULES DATA FOLDER.  Prints a line for each check that fails, and the numbers of checks and of
// failures.  What only Nextflow can show (channels, topics, containers, conda) is not tested here.
import org.codehaus.groovy.control.CompilationUnit
import org.codehaus.groovy.control.Phases

checks = 0
failures = 0
void check(String what, boolean holds, String detail = '') {
    checks++
    if (!holds) { failures++; println "FAILED: ${what}${detail ? ': ' + detail : ''}" }
}

modules = new File(args[0])
data = new File(args[1])
folder = new File(args[2])

// Returns the lines of a section of the process, such as 'script'.
String section(String main, String name) {
    def match = (main =~ /(?ms)^    ${name}:\n(.*?)(?=^    (?:input|output|when|script|stub):\n|^\}|\z)/)
    match ? match[0][1] : ''
}

// Returns the names of the files of a folder that fit a pattern with stars.
List<String> matching(File where, String glob) {
    where.list().findAll { it ==~ glob.replace('.', '\\.').replace('*', '.*') }.sort()
}

// Runs the text that a section evaluates to, in a folder of its own, and returns it with its exit status.
Map run(String main, String name, File where, Map values) {
    where.mkdirs()
    def text = new GroovyShell(new Binding(values)).evaluate(section(main, name)).toString()
    new File(where, '.command.sh').text = text
    def process = new ProcessBuilder('timeout', '60', 'bash', '-euo', 'pipefail', '.command.sh').directory(where).redirectErrorStream(true)
        .redirectOutput(new File(where, '.command.log')).start()
    [status: process.waitFor(), text: text, log: new File(where, '.command.log').text]
}

values = [motif: 'helicase,nuclease,polymerase,ligase,*', size: 3,
    pattern: '(p:polymerase)--(a)--(l:ligase), (h:helicase)--(a)--(n:nuclease)']
facts = [screen: { it.contains('# flagged: 27') && it.any { line -> line.startsWith('CDC9\t') } },
    list: { it.contains('# matches: 188') && it.count { line -> !line.startsWith('#') } == 189 },
    match: { it.any { line -> line.startsWith('1\tRAD30\tPOL30\t') } },
    census: { it.any { line -> line.startsWith('helicase:3\t') } && it.find { line -> line.startsWith('motif\t') }.contains('expected') }]
memory = new Expando(toMega: { 1000L })

modules.listFiles().sort().findAll { it.directory }.each { module ->
    def name = module.name
    def main = new File(module, 'main.nf').text
    [new File(module, 'main.nf'), new File(module, 'tests/main.nf.test'), new File(module, 'tests/nextflow.config')].each { file ->
        try {
            def unit = new CompilationUnit()
            // Groovy 2 wants an expression in a string on one line; Nextflow, with a newer Groovy, does not.
            unit.addSource(file.path, file.text.replaceAll(/\n +([?:] ')/, ' $1'))
            unit.compile(Phases.CONVERSION)
            check("${file} can be parsed", true)
        } catch (Exception e) { check("${file} can be parsed", false, e.message) }
    }
    def config = (new File(module, 'tests/nextflow.config').text =~ /ext\.args = '(.*)'/)[0][1]
    def glob = (section(main, 'output') =~ /path\("(.*?)"\)/)[0][1]
    def channel = (section(main, 'output') =~ /emit: (\w+)/)[0][1]
    // The inputs lie in the folder of the task, as links, under their own names.
    def inputs = [meta: [id: 'yeast'], network: 'string_interactions_short.tsv', colors: 'genes.tsv'] + values
    [[cpus: 1, memory: null], [cpus: 2, memory: memory]].eachWithIndex { resources, i ->
        def where = new File(folder, "${name}${i}")
        where.mkdirs()
        ['string_interactions_short.tsv', 'genes.tsv'].each {
            java.nio.file.Files.createSymbolicLink(new File(where, it).toPath(), new File(data, it).canonicalFile.toPath())
        }
        def task = resources + [process: "MOTIFSIEVE_${name.toUpperCase()}".toString(), ext: [args: config]]
        def result = run(main, 'script', where, inputs + [task: task])
        check("${name}: the script ends with 0", result.status == 0, result.log)
        check("${name}: the memory of the task is passed on", result.text.contains('--memory 750M') == (resources.memory != null))
        def files = matching(where, glob)
        check("${name}: ${channel} is one file", files == ["yeast.${glob - '*.'}".toString()], files.toString())
        check("${name}: the result is the expected one", files && facts[name](new File(where, files[0]).readLines()))
        if (i) {
            check("${name}: the result depends on neither threads nor memory",
                new File(where, files[0]).text == new File(folder, "${name}0/${files[0]}").text)
        }
    }
    // A network that holds its own colours: the channel has an empty list in place of the file.
    def bare = new GroovyShell(new Binding(inputs + [colors: [], task: [cpus: 1, memory: null, ext: [prefix: 'other']]]))
        .evaluate(section(main, 'script')).toString()
    check("${name}: colours can be left out", !bare.contains('--colors'))
    check("${name}: the prefix can be chosen", bare.contains("--output other."))
    def stub = run(main, 'stub', new File(folder, "${name}-stub"), inputs + [task: [cpus: 1, ext: [:]]])
    check("${name}: the stub makes the file", stub.status == 0 &&
        matching(new File(folder, "${name}-stub"), glob).size() == 1)
    def asked = (section(main, 'output') =~ /eval\("(.*?)"\)/)[0][1]
    def version = ['bash', '-c', asked].execute().text.trim()
    check("${name}: the version is printed alone", version ==~ /\d+\.\d+\.\d+/, version)
}
println "${checks} checks, ${failures} failures"
System.exit(failures ? 1 : 0)
