-- What rocsteady knows about the world: the one source of a kb.db's tables.
-- A file whose schema is not this text is refused. docs/kb-format.md tells how
-- the YAML below kb/ becomes these rows.

CREATE TABLE kb ( -- The knowledge itself: one row.
	format INTEGER NOT NULL, -- of this schema; only grows
	version TEXT NOT NULL, -- date of the knowledge, YYYY-MM-DD
	needs TEXT NOT NULL, -- oldest program that understands all of it
	digest TEXT NOT NULL -- of every source file, hexadecimal
);

CREATE TABLE cause ( -- Something that can be wrong, or a myth about it.
	slug TEXT NOT NULL PRIMARY KEY, -- for life
	kind TEXT NOT NULL, -- cause, consequence, myth, or symptom
	title TEXT NOT NULL, -- one line; {subject} and {value} are filled in
	plain TEXT, -- the title where only a log speaks of it; NULL: the title
	headline TEXT, -- what stands above such an answer; {program} and {seen} are filled in; NULL: the plain title
	story TEXT NOT NULL, -- what it is, in plain words
	scope TEXT NOT NULL, -- node, gpu, link, nic, environment, job
	severity TEXT NOT NULL, -- info, warning, problem
	action TEXT NOT NULL, -- none, watch, reset-gpu, reboot, drain, replace
	repair TEXT, -- what a controller may start for it: none, drain, reboot, reseat, replace, fix-software; NULL: no node is taken out of service for it
	prior INTEGER NOT NULL, -- decibans before any evidence, on a machine of which nothing is known
	share INTEGER NOT NULL, -- the same once something has failed: how often it is this
	undecided TEXT, -- what would decide it, as a sentence
	tells TEXT, -- what the output of that command means; NULL: it says so itself
	file TEXT NOT NULL -- source file
);

CREATE TABLE evidence ( -- A question to the facts that speaks for or against a cause.
	cause TEXT NOT NULL, -- slug
	id TEXT NOT NULL, -- unique within the cause
	position INTEGER NOT NULL, -- order in the file
	weight INTEGER NOT NULL, -- decibans if the answer is yes; negative rules out
	"group" TEXT, -- only the strongest of a group counts
	says TEXT NOT NULL, -- sentence; {subject}, {value}, {source} are filled in
	sql TEXT NOT NULL, -- rows of (subject, value, source, origin)
	absence INTEGER NOT NULL, -- 1 if it concludes from something not being there
	gate TEXT, -- table without whose rows the statement cannot have any, or table.column and values of which one must be there; saves preparing it
	reads TEXT NOT NULL, -- table and table.column, blank-separated, as SQLite read them
	line INTEGER NOT NULL, -- in the source file
	PRIMARY KEY (cause, id)
);

CREATE TABLE explained_by ( -- Where the other cause holds, this one is its consequence.
	cause TEXT NOT NULL, -- slug
	by_cause TEXT NOT NULL, -- slug
	PRIMARY KEY (cause, by_cause)
);

CREATE TABLE remedy ( -- Something to do, in steps that exist.
	id TEXT NOT NULL PRIMARY KEY, -- slug
	title TEXT NOT NULL, -- one line
	steps TEXT NOT NULL, -- lines; a command line begins with four blanks
	risk TEXT NOT NULL, -- none, low, needs-reboot, needs-root
	needs TEXT, -- what must be so before; NULL: nothing
	changes TEXT NOT NULL, -- what is another afterwards
	undo TEXT NOT NULL, -- how to take it back
	minutes INTEGER NOT NULL, -- how long it takes, about
	verify TEXT NOT NULL, -- command that shows whether it helped
	windows TEXT, -- its steps on Windows; empty: not offered there; NULL: the same steps
	wsl TEXT, -- the same for WSL
	sql TEXT, -- offered only where it has a row of the finding's subject, whose {value} it takes; NULL: always
	line INTEGER NOT NULL, -- of the statement in the source file
	gate TEXT, -- as that of evidence; NULL: the statement is always asked
	acts TEXT -- what it does, as program_act.act, blank-separated: its steps are said in the words of the program that is named; NULL: the same for every program
);

CREATE TABLE apply ( -- That the program can carry a remedy out, and undo it.
	remedy TEXT NOT NULL PRIMARY KEY, -- id
	sql TEXT, -- only where it has a row of the finding's subject, whose {value} the actions take; NULL: as the remedy
	"then" TEXT, -- what is left to do by hand, in lines as those of steps; NULL: nothing
	after_undo TEXT, -- what an undo leaves to do by hand, because the machine keeps what it has read; lines as those of steps; NULL: nothing
	line INTEGER NOT NULL -- of the statement in the source file
);

CREATE TABLE apply_action ( -- One change, of a closed kind: no shell, no program of the knowledge's choice.
	remedy TEXT NOT NULL, -- id
	position INTEGER NOT NULL, -- order
	kind TEXT NOT NULL, -- write, join-group, venv
	target TEXT NOT NULL, -- path; user:group,group; environment that the new one is made beside
	content TEXT, -- of the file; packages, blank-separated; NULL: none
	place TEXT, -- address of the index; NULL: none
	PRIMARY KEY (remedy, position)
);

CREATE TABLE cause_remedy ( -- Remedies of a cause, best first.
	cause TEXT NOT NULL, -- slug
	position INTEGER NOT NULL, -- 0 is the best
	remedy TEXT NOT NULL, -- id
	PRIMARY KEY (cause, position)
);

CREATE TABLE workaround ( -- What a remedy can do for one job by its environment alone.
	remedy TEXT NOT NULL PRIMARY KEY, -- id
	names TEXT NOT NULL, -- variables that it may set or unset, blank-separated
	costs TEXT NOT NULL, -- what the job loses by it: none, slower, fewer-gpus, cpu
	sql TEXT NOT NULL, -- rows of (name, value, says, source); value NULL: unset; without rows it does not apply
	line INTEGER NOT NULL -- of the statement in the source file
);

CREATE TABLE cure ( -- Of which kind a remedy or the cure of a defect is; what only looks has none.
	owner TEXT NOT NULL, -- remedy or defect
	kind TEXT NOT NULL, -- switch-build, set-env, permissions, ...
	PRIMARY KEY (owner, kind)
);

CREATE TABLE unchecked ( -- What nobody could hold against its source: it decides nothing, and is never the first step.
	owner TEXT NOT NULL PRIMARY KEY, -- remedy or defect
	reason TEXT NOT NULL -- why not
);

CREATE TABLE source ( -- Where a piece of knowledge comes from.
	owner TEXT NOT NULL, -- cause slug, remedy id, or table name
	class TEXT NOT NULL, -- source, maintainer, reporter, inferred, official
	ref TEXT NOT NULL, -- file at a commit, issue, page
	says TEXT -- what it says about it
);

CREATE TABLE advice ( -- A way to get an application for a GPU.
	id TEXT NOT NULL PRIMARY KEY, -- slug
	application TEXT NOT NULL, -- torch, ollama, ...; *: every one
	rank INTEGER NOT NULL, -- the lowest that has a row is advised
	kind TEXT NOT NULL, -- wheel, device-package, image, installer, archive, vulkan, override, none
	systems TEXT NOT NULL, -- linux, windows, wsl; blank-separated
	sql TEXT NOT NULL, -- rows of (line, why, caveat, checked, class, source), the best first; reads the wish from statement
	position INTEGER NOT NULL -- line of the statement in the source file
);

-- What software prints, and what it means.

CREATE TABLE signature ( -- A line that software prints.
	id TEXT NOT NULL PRIMARY KEY, -- slug, for life
	program TEXT NOT NULL, -- who prints it: hip, rocblas, torch, ollama, kernel, ...
	kind TEXT NOT NULL, -- failure, warning, hint, remark, harmless, context
	says TEXT NOT NULL, -- what the line means; names of its groups in braces are filled in
	pattern TEXT, -- PCRE2 over the line; NULL: the literal is enough
	"group" TEXT, -- of those that suggest the same cause and are of one group only the strongest counts
	file TEXT NOT NULL, -- source file
	line INTEGER NOT NULL, -- in the source file
	below TEXT, -- PCRE2 over the next line that is not empty; NULL: any
	written_by TEXT -- person: a sentence of a report, which says nothing in the log of a job that worked; NULL: a program
);

CREATE TABLE literal ( -- A text of which one must be in the line; at least ten bytes.
	signature TEXT NOT NULL, -- id
	position INTEGER NOT NULL, -- order in the file
	text TEXT NOT NULL, -- bytes
	PRIMARY KEY (signature, position)
);

CREATE TABLE suggests ( -- How much a signature speaks for a cause.
	signature TEXT NOT NULL, -- id
	cause TEXT NOT NULL, -- slug
	weight INTEGER NOT NULL, -- decibans; negative speaks against it
	PRIMARY KEY (signature, cause)
);

CREATE TABLE states ( -- What a signature tells of the machine.
	signature TEXT NOT NULL, -- id
	name TEXT NOT NULL, -- as in the table statement: gfx, rocm, torch, ...
	value TEXT NOT NULL, -- names of groups in braces are filled in
	PRIMARY KEY (signature, name)
);

CREATE TABLE defect ( -- A fault of a release that is known.
	id TEXT NOT NULL PRIMARY KEY, -- slug, for life
	component TEXT NOT NULL, -- what is faulty: rocblas, torch, linux, mes-firmware, ...
	cause TEXT NOT NULL, -- rocm-regression, framework-bug or driver-defect; or another cause
	title TEXT NOT NULL, -- one line
	cure TEXT NOT NULL, -- what made it work, in a sentence
	fixed_in TEXT, -- first release without it; NULL: not known
	weight INTEGER NOT NULL, -- decibans if everything it asks for is there
	source TEXT NOT NULL -- reference
);

CREATE TABLE defect_when ( -- What a defect asks of a statement: a version within bounds, or one of some words.
	defect TEXT NOT NULL, -- id
	name TEXT NOT NULL, -- of the statement
	low TEXT, -- version from which on, itself included
	high TEXT, -- version up to which, itself excluded
	is_end_known INTEGER NOT NULL DEFAULT 0, -- 0: nothing says that high is free of it; from there on it is not known
	words TEXT, -- blank-separated beginnings, of which one must be the value's
	PRIMARY KEY (defect, name)
);

CREATE TABLE defect_signature ( -- A signature that a defect shows.
	defect TEXT NOT NULL, -- id
	signature TEXT NOT NULL, -- id
	PRIMARY KEY (defect, signature)
);

-- Tables of the world. Every row carries its source, the source's class and the day on which
-- the source was last seen to say so.

CREATE TABLE gfx_target ( -- An instruction set of AMD's GPUs.
	gfx TEXT NOT NULL PRIMARY KEY, -- gfx1100
	family TEXT NOT NULL, -- GCN5, CDNA3, RDNA3, ...
	integrated INTEGER, -- 1: sold inside processors only; NULL: not known
	names TEXT, -- products and code names, comma-separated; NULL: none is sold
	wave INTEGER NOT NULL, -- lanes of a wavefront
	generic TEXT, -- generic target whose code runs on it
	matrix TEXT, -- MFMA or WMMA; NULL: no matrix instructions
	bf16 INTEGER, -- 1: its matrix instructions take bf16; NULL: not known
	hipblaslt INTEGER NOT NULL, -- 1: rocBLAS hands its work to hipBLASLt by itself
	common INTEGER, -- 1: most builds for ROCm have code for it; 0: few have; NULL: only old ones
	override TEXT NOT NULL, -- as HSA_OVERRIDE_GFX_VERSION writes it
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE processor ( -- Processors with a GPU inside, by that GPU.
	gfx TEXT NOT NULL, -- its instruction set
	graphics TEXT NOT NULL, -- what the GPU is called: Radeon 780M; Radeon Graphics where it has no name
	models TEXT NOT NULL, -- Ryzen 7 5700G, ...; comma-separated
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL, -- reference
	PRIMARY KEY (gfx, graphics, class)
);

CREATE TABLE gpu_memory ( -- How much memory a GPU without its own may use, and where that is set.
	gfx TEXT NOT NULL, -- instruction set
	os TEXT NOT NULL, -- linux, windows or wsl
	note TEXT NOT NULL, -- one sentence
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL, -- reference
	PRIMARY KEY (gfx, os)
);

CREATE TABLE rocm_release ( -- A release of ROCm.
	version TEXT NOT NULL PRIMARY KEY, -- 7.2.4
	line TEXT NOT NULL, -- production, preview or therock: numbers of two lines do not compare
	released TEXT NOT NULL, -- YYYY-MM-DD: tells which is newer
	hip TEXT, -- how the version of its HIP runtime begins; NULL: not known
	targets TEXT, -- AMD's official list for Linux, blank-separated; NULL: not known
	driver TEXT, -- kernel drivers it is paired with; NULL: not known
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE image ( -- A container image that is known to exist.
	image TEXT NOT NULL PRIMARY KEY, -- with its tag
	application TEXT NOT NULL, -- torch, sglang, vllm, ollama, llama.cpp
	rocm TEXT, -- version inside; NULL: moves on
	python TEXT, -- version inside; NULL: none, or not known
	targets TEXT NOT NULL, -- GPUs it has code for, blank-separated
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE build ( -- How an application is had.
	application TEXT NOT NULL, -- ollama, llama.cpp, vllm, comfyui, stable-diffusion.cpp
	os TEXT NOT NULL, -- linux, windows, wsl; blank-separated
	kind TEXT NOT NULL, -- installer, archive, wheel, source, or vulkan: without ROCm
	place TEXT NOT NULL, -- address, file of a release, or image
	python TEXT, -- versions of Python, blank-separated; NULL: none is asked for
	rocm TEXT, -- release of ROCm whose libraries it is linked to; NULL: not known, or none
	igpu_off TEXT, -- iGPUs that it leaves out unless a variable lets them in, blank-separated; NULL: not known, or none
	rocm_index TEXT, -- address from which pip gets that release; NULL: not known
	lacks TEXT, -- of those libraries the ones that are not in it, blank-separated; NULL: not known, or none
	targets TEXT, -- GPUs it has code for, blank-separated; NULL: another build brings it
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL, -- reference
	PRIMARY KEY (application, os, kind)
);

CREATE TABLE python_package ( -- A package of PyPI with code for AMD GPUs; one row for each ROCm it is built for.
	application TEXT NOT NULL, -- jax, bitsandbytes, cupy, tensorflow, invokeai
	os TEXT NOT NULL, -- linux or windows
	rocm TEXT NOT NULL, -- release of ROCm that it is built for, major.minor
	requirement TEXT NOT NULL, -- as pip takes it, jax[rocm7-local]==0.12.0
	python TEXT NOT NULL, -- versions of Python, blank-separated
	torch TEXT, -- version of torch that it asks for; NULL: none, or any
	targets TEXT, -- GPUs it has code for, blank-separated; NULL: that torch brings it
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL, -- reference
	PRIMARY KEY (application, os, rocm)
);

CREATE TABLE gfx_override ( -- What HSA_OVERRIDE_GFX_VERSION does to a GPU.
	gfx TEXT NOT NULL, -- true instruction set
	override TEXT NOT NULL, -- gfx that the value stands for
	verdict TEXT NOT NULL, -- good, risky, harmful
	why TEXT NOT NULL, -- one sentence
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL, -- reference
	PRIMARY KEY (gfx, override)
);

CREATE TABLE env_variable ( -- An environment variable people set for ROCm.
	name TEXT NOT NULL PRIMARY KEY, -- name
	is_read INTEGER NOT NULL, -- 0: nothing reads it
	readers TEXT, -- who reads it
	real_name TEXT, -- what was probably meant
	note TEXT, -- one sentence
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE setting_effect ( -- What a setting that people make does, and where.
	id TEXT NOT NULL PRIMARY KEY, -- slug
	form TEXT NOT NULL, -- variable, kernel (argument), flag or command
	name TEXT NOT NULL, -- as it is written; of a command the words that its line has, in any order, and behind ! those that it has not
	value TEXT, -- as GLOB takes it; NULL: any, or none
	os TEXT, -- linux or windows; NULL: both
	program TEXT, -- as program.application: it must be named; NULL: any
	since TEXT, -- release of that program from which on the row holds; NULL: for all
	until TEXT, -- release of that program from which on it no longer does; NULL: for all
	gfx TEXT, -- instruction set of the GPU, as GLOB takes it; NULL: any
	beside TEXT, -- another setting that must be made as well; NULL: none
	signature TEXT, -- signatures of which the text must show one, blank-separated; NULL: none
	effect TEXT NOT NULL, -- none, masks, harmful, right, wrong-value, debug, optional
	why TEXT NOT NULL, -- the end of a sentence, without a stop
	undo TEXT, -- how it is taken back; of an optional feature that can be left out for a test the setting that does it; NULL: as its form says, or it is left
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE atomics_rule ( -- Whether a family needs PCIe atomics of its path.
	gfx_prefix TEXT NOT NULL PRIMARY KEY, -- gfx9, gfx101, gfx103, ...
	required INTEGER NOT NULL, -- 1: always; 0: never
	mec_minimum INTEGER, -- compute firmware from which on it can do without
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE kernel_floor ( -- First kernel whose KFD knows a GPU.
	gfx TEXT NOT NULL PRIMARY KEY, -- instruction set
	mainline TEXT NOT NULL, -- first mainline release
	advised TEXT, -- kernel from which on its makers advise to use it; NULL: the first will do
	advised_ubuntu TEXT, -- the same among the kernels of Ubuntu; NULL: as advised
	advised_oem TEXT, -- the same among the OEM kernels of Ubuntu; NULL: as advised
	advised_rocm TEXT, -- ROCm that does not work with an older kernel, and later ones; NULL: none is known
	devices TEXT NOT NULL, -- PCI device ids sold as it, blank-separated: where KFD is silent nothing else tells
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE adrenalin_floor ( -- First AMD Software: Adrenalin Edition for a release of ROCm on Windows.
	rocm TEXT NOT NULL PRIMARY KEY, -- first release that asks for it
	least TEXT NOT NULL, -- release of Adrenalin: 26.1.1
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE wheel ( -- A stable build of torch on pytorch.org.
	version TEXT NOT NULL, -- of torch: 2.9.1
	rocm TEXT NOT NULL, -- name of its index: rocm6.4
	url TEXT NOT NULL, -- of that index, for pip
	python TEXT NOT NULL, -- versions of Python, blank-separated
	targets TEXT NOT NULL, -- GPUs it has code for, blank-separated
	no_blas TEXT, -- of those, the ones without files of rocBLAS: the first matrix product ends the program
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL, -- reference
	PRIMARY KEY (version, rocm)
);

CREATE TABLE device_package ( -- The code of one GPU as a package of AMD's index, chosen by an extra of torch.
	gfx TEXT NOT NULL PRIMARY KEY, -- instruction set
	extra TEXT NOT NULL, -- device-gfx1151
	url TEXT NOT NULL, -- of the index, for pip
	os TEXT NOT NULL, -- linux, windows, wsl; blank-separated
	python TEXT NOT NULL, -- versions of Python, blank-separated
	tested TEXT, -- of these systems those that TheRock's table marks as tested; NULL: none
	unmarked TEXT, -- those of its table that have no such mark; NULL: none
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE hipblaslt_support ( -- GPUs that hipBLASLt of a ROCm release is built for.
	rocm TEXT NOT NULL PRIMARY KEY, -- major.minor
	targets TEXT NOT NULL, -- blank-separated
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE library_release ( -- Releases of ROCm that ship a library under a name.
	soname TEXT NOT NULL PRIMARY KEY, -- librocblas.so.4
	first TEXT, -- first release, major.minor; NULL: not known
	last TEXT, -- last release, major.minor; NULL: none is known to have another number
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE program ( -- A program that computes on GPUs: how it is started, and whether torch matters to it.
	application TEXT NOT NULL PRIMARY KEY, -- as a text names it, in small letters: ollama, llama.cpp
	title TEXT NOT NULL, -- as it calls itself: ComfyUI
	command TEXT, -- what is typed; NULL: a script or a window starts it
	package TEXT, -- of PyPI, that pip updates; NULL: none that works with ROCm as it is
	uses_torch INTEGER NOT NULL, -- 1 if it computes with torch, so that another torch may help it
	brings_torch INTEGER, -- 1 if its builds are linked to the torch that they bring: another torch breaks it
	service TEXT, -- unit of systemd that usually runs it; NULL: none
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);

CREATE TABLE program_act ( -- How a program does what a remedy asks for: docs/kb-format.md lists the acts.
	application TEXT NOT NULL, -- as program.application
	act TEXT NOT NULL, -- less-memory, other-attention
	position INTEGER NOT NULL, -- what is tried first, from 0
	way TEXT NOT NULL, -- option, variable, command; words: a menu or a file, which `says` names; none: it cannot
	value TEXT NOT NULL, -- the option, NAME=VALUE, the command line; of words and none empty
	says TEXT NOT NULL, -- a sentence without its full stop; of none: why not
	system TEXT, -- linux or windows; NULL: on both
	since TEXT, -- first release that has it; NULL: not known
	until TEXT, -- release that no longer has it; NULL: none
	class TEXT NOT NULL, -- of the source, as that of the program
	checked TEXT NOT NULL, -- as that of the program
	source TEXT NOT NULL, -- reference
	PRIMARY KEY (application, act, position)
);

CREATE TABLE belief ( -- How decibans become belief in `explain`; measured on labelled failures.
	name TEXT NOT NULL PRIMARY KEY, -- sharpness, echo, unknown, bare, decided, certain, family, unheard-CAUSE; of a word SCALE-WORD
	value INTEGER NOT NULL, -- hundredths; of unknown, bare, unheard-CAUSE and words: decibans
	meaning TEXT NOT NULL, -- one sentence
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);
CREATE TABLE tracker ( -- Where a fault of software is reported, by its cause.
	cause TEXT NOT NULL PRIMARY KEY, -- slug
	project TEXT NOT NULL, -- whose fault it would be
	address TEXT NOT NULL, -- of its issues, without https://
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);
CREATE TABLE component ( -- Software that prints errors, and where its faults are reported.
	name TEXT NOT NULL PRIMARY KEY, -- as a sentence calls it
	words TEXT NOT NULL, -- how its lines name it, in small letters, blank-separated
	address TEXT NOT NULL, -- of its issues, without https://
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL, -- reference
	handled TEXT -- what is done about its lines: rocm, rccl, driver, program; NULL: rocm
);
CREATE TABLE status_code ( -- A status that a call of a library gives, read from its header.
	code TEXT NOT NULL PRIMARY KEY, -- name in the header
	number INTEGER NOT NULL, -- in the newest header
	component TEXT NOT NULL, -- name of a component
	text TEXT NOT NULL, -- what the library says of it, else its name in words
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);
CREATE TABLE printable ( -- A text that software can print, an error or a warning of its source, by a digest.
	digest INTEGER NOT NULL PRIMARY KEY, -- of SHA-256: 40 bits for its first 16 bytes, then 23 bits for all of them
	length INTEGER NOT NULL, -- in bytes, from 16 to 96; 128 more: it is a sign only where it begins what is said
	is_error INTEGER NOT NULL, -- 1: an error; 0: a warning
	file INTEGER NOT NULL, -- id of a printable_file
	first INTEGER NOT NULL, -- id of the printable_tree in which it was seen first
	last INTEGER NOT NULL -- and last
);
CREATE TABLE printable_file ( -- A file of a source tree.
	id INTEGER NOT NULL PRIMARY KEY, -- number
	component TEXT NOT NULL, -- name of a component
	path TEXT NOT NULL -- in its repository
);
CREATE TABLE printable_tree ( -- A revision of a source tree that was searched for what it prints.
	id INTEGER NOT NULL PRIMARY KEY, -- number; of one component in the order of time
	component TEXT NOT NULL, -- name of a component
	repository TEXT NOT NULL, -- owner/name
	revision TEXT NOT NULL, -- tag or branch
	hash TEXT NOT NULL -- of its commit
);
CREATE TABLE report_word ( -- How much a word of a report speaks for causes, by what the knowledge says of them; made by the compiler.
	word TEXT NOT NULL PRIMARY KEY, -- in small letters, without its ending
	causes TEXT NOT NULL -- slugs, and behind each its weight; blank-separated
);
CREATE TABLE family ( -- Causes that look alike in a log, and the one step that tells them apart.
	name TEXT NOT NULL PRIMARY KEY, -- slug
	title TEXT NOT NULL, -- what is wrong, as far as it is the same for all of them
	causes TEXT NOT NULL, -- slugs, blank-separated
	remedy TEXT NOT NULL, -- id of the step
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);
CREATE TABLE label ( -- What a cause is called in labelled failures that do not know its name.
	cause TEXT NOT NULL PRIMARY KEY, -- slug
	counts_as TEXT NOT NULL, -- slug of those labels
	meaning TEXT NOT NULL, -- why, in one sentence
	class TEXT NOT NULL, -- of the source: source, maintainer, reporter, inferred, official
	checked TEXT NOT NULL, -- day on which the source was last seen to say so, YYYY-MM-DD
	source TEXT NOT NULL -- reference
);
