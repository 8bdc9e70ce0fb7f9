"""Work of any size: in blocks, on several processes or machines, resumable.

    files ─ Corpus ─ survey ─▶ facts about all captions
            Corpus ─ blocks ─▶ Block ─ scoring, parsing ─▶ Done ─▶ Folder
                                          Folder ─ totals, rows ─▶ output files

A `Job` (`evaluating`, `graphs`) says what is done with a block, a `Corpus` (`local`,
`ray_cluster`) who does it, and `jobs.run_job` joins the two. A block is worked on as if
the whole were one: nothing depends on where blocks end, on their order or on who works
on them.
"""
