/* Times the count of a motif by an engine, within one process:
 *
 *   motif_count [-p] [-r RUNS] [-t THREADS] [-w PART] [-d GPUS] [-y WAY] ENGINE GRAPH COLORS MOTIF
