"""Work of any size: in blocks, on several processes or machines, resumable.

    files ─ Corpus ─ survey ─▶ facts about all captions
            Corpus ─ blocks ─▶ Block ─ scoring, parsing ─▶ Done ─▶ Folder
                                          Folder ─ totals, rows ─▶ output files

A `Job` (`evaluating`, `parsing`) defines the work on a block, a `Corpus` the
processes that do it, and `jobs.run_job` joins the two. Results do not depend on where
blocks end, on their order, or on the process that works on them.
"""
