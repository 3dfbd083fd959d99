"""Installs a PyTorch wheel without the CUDA packages it asks for, which take several gigabytes.

Usage: install_torch.py VENV VERSION

The wheel's libraries name CUDA libraries as needed, though operators on the CPU never call them. For each of those
this builds an empty library of the same name, with the symbols and symbol versions that the wheel asks for.
Needs binutils and gcc.
"""

import glob
import os
import re
import subprocess
import sys

PACKAGES = ["filelock", "typing-extensions", "sympy", "networkx", "jinja2", "fsspec", "setuptools"]
SYSTEM = r"(ld-linux|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|gomp|util|z|quadmath|gfortran)\.so)"
CUDA = r"^(cu|CU|nv|NV|nccl|__cuda|_ZN5cudnn|_ZN6nvjit)"
STUB = ".text\n{symbols} mov $999,%eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n"


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def needed_versions(library):
    """For each library that this one needs, the symbol versions it wants."""
    versions, needed = {}, None
    for line in output("readelf", "-VW", library).splitlines():
        file = re.search(r"Version: 1  File: (\S+)", line)
        name = re.search(r"Name: (\S+)  Flags", line)
        if file:
            needed = file.group(1)
        elif "Version definition" in line:
            needed = None
        elif name and needed:
            versions.setdefault(needed, set()).add(name.group(1))
    return versions


def symbols(library):
    """(undefined, defined) names; undefined ones keep their version."""
    undefined, defined = set(), set()
    for line in output("nm", "-D", library).splitlines():
        *_, kind, name = line.split()
        (undefined if kind == "U" else defined).add(name.replace("@@", "@"))
    return undefined, {name.split("@")[0] for name in defined}


def write_stubs(libraries, folder):
    versions, undefined, defined, needed = {}, set(), set(), set()
    for library in libraries:
        needed |= set(re.findall(r"NEEDED.*\[(.*?)\]", output("readelf", "-dW", library)))
        for name, wanted in needed_versions(library).items():
            versions.setdefault(name, set()).update(wanted)
        theirs, ours = symbols(library)
        undefined |= theirs
        defined |= ours
    present = set(os.listdir(folder))
    missing = sorted(name for name in needed - present if not re.match(SYSTEM, name))
    names = sorted({name.split("@")[0] for name in undefined if re.match(CUDA, name)} - defined)
    source = os.path.join(folder, "stub.S")
    with open(source, "w") as file:
        file.write(STUB.format(symbols="".join(f".globl {n}\n.type {n},@function\n{n}:\n" for n in names)))
    for name in missing:
        command = ["gcc", "-shared", "-nostdlib", f"-Wl,-soname,{name}", "-o", os.path.join(folder, name), source]
        wanted = sorted(versions.get(name, ()))
        if wanted:
            script = os.path.join(folder, "stub.map")
            with open(script, "w") as file:
                for version in wanted:
                    exported = sorted(n for n in names if f"{n}@{version}" in undefined)
                    exported = exported or ["__stub_" + re.sub(r"\W", "_", name + version)]
                    rest = " local: *;" if version == wanted[-1] else ""
                    file.write(f"{version} {{ global: {'; '.join(exported)};{rest} }};\n")
            command.insert(3, f"-Wl,--version-script={script}")
        subprocess.run(command, check=True)
    return missing


def main():
    venv, version = sys.argv[1:]
    python = os.path.join(venv, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--no-cache-dir"]
    subprocess.run([*pip, "--no-deps", f"torch=={version}"], check=True)
    numpy = "numpy<2" if re.match(r"(1|2\.[0-2])\.", version) else "numpy"
    subprocess.run([*pip, numpy, *PACKAGES], check=True)
    folder = glob.glob(os.path.join(venv, "lib", "python3*", "site-packages", "torch", "lib"))[0]
    libraries = [path for path in glob.glob(os.path.join(folder, "*.so*")) if not os.path.islink(path)]
    print("stubs:", *write_stubs(libraries, folder))


if __name__ == "__main__":
    main()
