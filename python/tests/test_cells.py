"""AnnData objects: graphs of their cells, columns by name, and results that are put back into them."""

import pickle
import warnings

import numpy as np
import pytest

import motifsieve as ms

anndata = pytest.importorskip("anndata", reason="anndata is not installed")
pandas = pytest.importorskip("pandas", reason="pandas is not installed")
sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")

N = 60


@pytest.fixture
def adata():
    """Cells of two slides at random places, in an order that is not that of their names."""
    random = np.random.default_rng(4)
    obs = pandas.DataFrame({"kind": pandas.Categorical(random.choice([*"abc"], N)),
                            "slide": pandas.Categorical(random.choice(["s/1", "s2"], N)),
                            "patient": random.choice(["p", "q", "r", "s"], N)},
                           index=[f"c{i}" for i in random.permutation(N)])
    return anndata.AnnData(np.zeros((N, 2), np.float32), obs=obs, obsm={"spatial": random.uniform(0, 10, (N, 2))})


def make(adata, **options):
    return ms.Graph.from_points(adata, knn=4, colors="kind", **options)


def stored(adata, path):
    """The object as its file has it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of anndata
        adata.write_h5ad(path)
        return anndata.read_h5ad(path)


def test_points_of_cells(adata):
    """Coordinates, names, colours and slides of an object are those that are given one by one."""
    g = make(adata, slides="slide")
    by_hand = ms.Graph.from_points(adata.obsm["spatial"], knn=4, names=[*adata.obs_names], colors=adata.obs["kind"],
                                   slides=[*adata.obs["slide"]])
    assert g.edges().tolist() == by_hand.edges().tolist() and g.nodes == by_hand.nodes == [*adata.obs_names]
    assert g.list("a,b").vertices.tolist() == by_hand.list("a,b").vertices.tolist()
    assert [*g.slides] == [*by_hand.slides] and g.positions.tolist() == by_hand.positions.tolist()
    assert make(adata).edge_count != g.edge_count
    with pytest.raises(ms.InputError, match="slides='sample' is not in adata.obs, which has 'kind', 'slide'"):
        make(adata, slides="sample")
    del adata.obsm["spatial"]
    with pytest.raises(ms.InputError, match="no 'spatial'"):
        make(adata)
    with pytest.raises(ms.InputError, match="from_points"):
        ms.Graph(adata)


def test_neighbours_in_slides(adata):
    """Of neighbours that another package made, those in different slides are left out, and a warning says so."""
    adata.obsp["spatial_connectivities"] = make(adata).to_scipy()
    with pytest.warns(UserWarning, match="join cells of different slides"):
        g = ms.Graph(adata, colors="kind", slides="slide")
    slides = adata.obs["slide"].tolist()
    wanted = [[u, v] for u, v in make(adata).edges().tolist() if slides[u] == slides[v]]
    assert g.edges().tolist() == wanted and 0 < len(wanted) < make(adata).edge_count
    assert g.slides.tolist() == slides
    adata.obsp["spatial_connectivities"] = g.to_scipy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ms.Graph(adata, slides=slides).edge_count == len(wanted)


def test_columns_by_name(adata):
    """strata=, groups=, samples=, colours and labels name columns of adata.obs: the same as their values."""
    adata.obs["group"] = ["x" if patient in "pq" else "y" for patient in adata.obs["patient"]]
    g = make(adata)
    obs = adata.obs.copy()
    adata.obs["slide"] = "changed"  # the graph does not change
    for again in (g, pickle.loads(pickle.dumps(g)), g.with_colors("kind")):
        one, other = (again.census(3, permutations=20, strata=strata) for strata in ("slide", obs["slide"]))
        assert one["perm_expected"].tolist() == other["perm_expected"].tolist()
        assert one["perm_expected"].tolist() != again.census(3, permutations=20)["perm_expected"].tolist()
        assert again.match_many(["triangle"], permutations=5, strata="slide")["perm_expected"].tolist() == \
            again.match_many(["triangle"], permutations=5, strata=obs["slide"])["perm_expected"].tolist()
        one, other = again.compare("group", samples="patient", k=2), \
            again.compare(obs["group"], samples=obs["patient"], k=2)
        assert one["p"].tolist() == other["p"].tolist() and one.samples == other.samples and len(one.samples) == 4
    assert set(g.with_colors("slide").colors.names) == {"s/1", "s2"}
    assert g.list("a,b").to_pandas(labels="patient").node1[0] in [*"pqrs"]
    with pytest.raises(ms.InputError, match="strata='batch' is not in adata.obs"):
        g.census(3, permutations=5, strata="batch")
    with pytest.raises(ms.UsageError, match="strata='batch' is a column of adata.obs, and the graph was not made of"):
        ms.Graph([(0, 1)], colors=[*"ab"]).census(2, permutations=5, strata="batch")


def test_results_in_cells(adata, tmp_path):
    """Each kind of result is where to_anndata's documentation says, cell by cell; a file has it, too."""
    g = make(adata)
    shuffled = adata[np.random.default_rng(1).permutation(N)].copy()
    names = [*shuffled.obs_names]
    r = g.list("a:2,b")
    r.to_anndata(shuffled, "niche")
    obs = r.to_obs("niche").loc[names]
    assert obs["niche_found"].any() and not obs["niche_found"].all()
    for name in obs:
        assert shuffled.obs[name].astype(str).tolist() == obs[name].astype(str).tolist(), name
    census = g.census_vertices(3)
    census.to_anndata(shuffled, "census")
    matrix = shuffled.obsm["census"].toarray()
    frame = pandas.DataFrame(matrix, index=names, columns=shuffled.uns["census"]["columns"])
    for node, motif, sets in zip(census["node"], census["motif"], census["sets"].tolist()):
        assert frame.loc[node, motif] == sets
    assert matrix.sum() == census["sets"].sum() > 0
    order = [g.index(name) for name in names]
    orbits, cliques = g.orbits(4), g.cliques(per_vertex=True)
    roles = g.match("paw", participation=True, roles=True)
    for key, result, wanted in (("orbits", orbits, orbits.matrix), ("cliques", cliques, cliques.matrix),
                                ("paw", roles, roles.participation)):
        result.to_anndata(shuffled, key)
        assert shuffled.obsm[key].tolist() == wanted[order].tolist()
        assert len(shuffled.uns[key]["columns"]) == wanted.shape[1]
    assert shuffled.obs["paw_matches"].tolist() == roles.participation.sum(axis=1)[order].tolist()
    colored = g.orbits(3, colored=True)
    colored.to_anndata(shuffled, "colored")
    assert shuffled.obsm["colored"].toarray().tolist() == colored.matrix[order].tolist()
    significance = g.significance(3, permutations=9)
    significance.to_anndata(shuffled, "census_of_motifs")
    assert shuffled.uns["census_of_motifs"]["table"].motif.tolist() == significance["motif"].tolist()
    for key, result in (("screen", g.screen("a,b")), ("near", g.nearest("a:2,b")), ("parts", g.components()),
                        ("path", g.paths([("c0", "c1")])), ("shapes", g.census(3, shapes=True)), ("mined", g.mine(2)),
                        ("many", g.list_many(["a,b"])), ("patterns", g.match_many(["triangle"])),
                        ("compare", g.compare("patient", k=2))):
        result.to_anndata(shuffled, key)
        assert shuffled.uns[key]["motifsieve"]["complete"] and ("table" in shuffled.uns[key]) == \
            (key in ("shapes", "mined", "many", "patterns", "compare"))
    again = stored(shuffled, tmp_path / "cells.h5ad")
    assert again.uns["niche"]["motifsieve"]["query"]["motif"] == "a:2,b"
    assert again.obs["niche_role"].astype(str).tolist() == shuffled.obs["niche_role"].astype(str).tolist()
    assert (again.obsm["census"] != shuffled.obsm["census"]).nnz == 0
    assert again.uns["census"]["columns"].tolist() == [*census.motifs]


def test_a_second_call_overwrites(adata, tmp_path):
    """What the first call added is gone, also if its kind was another one, or it was read from a file."""
    g = make(adata)
    before = [*adata.obs], [*adata.obsm], [*adata.uns]
    for reread in (False, True):
        g.census_vertices(3).to_anndata(adata)
        assert "motif" in adata.obsm
        if reread:
            adata = stored(adata, tmp_path / "cells.h5ad")
        g.list("a:2,b").to_anndata(adata)
        assert [name for name in adata.obs if name.startswith("motif_")] == ["motif_found", "motif_matches", "motif_role"]
        assert "motif" not in adata.obsm
        g.screen("c").to_anndata(adata)
        assert adata.obs["motif_found"].tolist() == (adata.obs["kind"] == "c").tolist()
        assert "motif_matches" not in adata.obs
        g.significance(2).to_anndata(adata)
        assert ([*adata.obs], [*adata.obsm], [*adata.uns]) == (before[0], before[1], before[2] + ["motif"])


def test_other_cells_are_refused(adata):
    g = make(adata)
    r = g.list("a,b")
    with pytest.raises(ms.UsageError, match="has 59 cells, and the graph 60 vertices"):
        r.to_anndata(adata[1:].copy())
    adata.uns["mine"] = {"of": "others"}
    with pytest.raises(ms.UsageError, match="'mine', which motifsieve did not make"):
        r.to_anndata(adata, "mine")
    assert adata.uns["mine"] == {"of": "others"} and "mine_found" not in adata.obs
    numbered = ms.Graph.from_points(adata.obsm["spatial"], knn=4, colors=adata.obs["kind"].array)
    numbered.list("a,b").to_anndata(adata)
    assert adata.obs["motif_found"].tolist() == r.to_obs()["motif_found"].tolist()
    adata.obs_names = ["other", *adata.obs_names[1:]]
    with pytest.raises(ms.UsageError, match="the cell 'other', which the graph lacks"):
        r.to_anndata(adata)
