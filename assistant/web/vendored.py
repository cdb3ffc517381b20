"""The files of others that the page uses: byte for byte as their packages have them, which the manifest proves.

``python -m assistant.web.vendored`` compares the folder with its manifest. ``--from FOLDER`` copies the files anew out
of the packages' archives (``npm pack preact@11.2.0 …`` puts those into a folder) and writes the manifest.
"""

import argparse
import base64
import hashlib
import json
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "static" / "vendor"
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the npm registry, and what is taken out of it: path in the archive → name here."""

    name: str
    version: str
    licence: str
    files: tuple[tuple[str, str], ...]


PACKAGES = (
    Package("preact", "11.2.0", "MIT", (("dist/preact.mjs", "preact.mjs"), ("LICENSE", "preact.LICENSE"))),
    Package("htm", "3.1.1", "Apache-2.0", (("dist/htm.module.js", "htm.module.js"), ("LICENSE", "htm.LICENSE"))),
    Package("marked", "18.2.1", "MIT", (("lib/marked.esm.js", "marked.esm.js"), ("LICENSE", "marked.LICENSE"))),
    Package(
        "eventsource-parser",
        "3.1.1",
        "MIT",
        (("dist/index.js", "eventsource-parser.js"), ("LICENSE", "eventsource-parser.LICENSE")),
    ),
)


def manifest(packages: Sequence[Package] = PACKAGES, folder: Path = FOLDER) -> list[dict[str, object]]:
    """What the files in the folder are, with their SHA-512 as npm writes it."""
    return [
        {
            "package": package.name,
            "version": package.version,
            "licence": package.licence,
            "files": {name: _sha512((folder / name).read_bytes()) for _, name in package.files},
        }
        for package in packages
    ]


def differences(folder: Path = FOLDER) -> Iterator[str]:
    """What in the folder is not as its manifest says, as sentences."""
    listed = {name: digest for package in json.loads((folder / MANIFEST).read_text("utf-8")) for name, digest in package["files"].items()}
    there = {file.name for file in folder.iterdir()} - {MANIFEST}
    yield from (f"{name} is not in the manifest" for name in sorted(there - listed.keys()))
    yield from (f"{name} is missing" for name in sorted(listed.keys() - there))
    for name in sorted(listed.keys() & there):
        if _sha512((folder / name).read_bytes()) != listed[name]:
            yield f"{name} is not the file of its package"


def copy(archives: Path, folder: Path = FOLDER, packages: Sequence[Package] = PACKAGES) -> None:
    """Takes the files out of the archives and writes the manifest."""
    for package in packages:
        with tarfile.open(archives / f"{package.name}-{package.version}.tgz") as archive:
            for source, name in package.files:
                member = archive.extractfile(f"package/{source}")
                if member is None:
                    raise ValueError(f"{package.name} has no file {source}")
                (folder / name).write_bytes(member.read())
    (folder / MANIFEST).write_text(json.dumps(manifest(packages, folder), indent=2) + "\n", encoding="utf-8")


def _sha512(content: bytes) -> str:
    return "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()


def main() -> None:
    """Runs the script; exits with 1 when something differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="archives", type=Path, metavar="FOLDER", help="copy the files out of the archives in FOLDER")
    options = parser.parse_args()
    if options.archives is not None:
        copy(options.archives)
    found = list(differences())
    sys.stdout.write("".join(f"{sentence}\n" for sentence in found) or "The files are those of their packages.\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
