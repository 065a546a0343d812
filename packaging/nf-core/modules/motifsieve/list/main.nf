process MOTIFSIEVE_LIST {
    tag "${meta.id}"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container
        ? 'https://depot.galaxyproject.org/singularity/motifsieve:0.1.0--0'
        : 'quay.io/biocontainers/motifsieve:0.1.0--0'}"

    input:
    tuple val(meta), path(network), path(colors)
    val motif

    output:
    tuple val(meta), path("*.matches.tsv"), emit: matches
    tuple val("${task.process}"), val('motifsieve'), eval("motifsieve --version | sed 's/motifsieve //'"), topic: versions, emit: versions_motifsieve

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    def colors_option = colors ? "--colors ${colors}" : ''
    // The bound holds for the search; the network comes on top of it.
    def memory_option = task.memory ? "--memory ${(task.memory.toMega() * 3).intdiv(4)}M" : ''
    """
    motifsieve \\
        list \\
        ${network} \\
        ${colors_option} \\
        --motif '${motif}' \\
        ${memory_option} \\
        --threads ${task.cpus} \\
        --output ${prefix}.matches.tsv \\
        ${args}
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.matches.tsv
    """
}
