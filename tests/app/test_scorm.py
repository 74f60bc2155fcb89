"""A SCORM package: what its manifest says is there, and the same lesson gives the same bytes."""

import io
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from markup import check_scripts

from app.lessons import load_lesson
from app.scorm import VERSIONS, scorm_package

DOING = Path(__file__).parents[1] / "ui" / "lessons" / "01_doing"
SCRIPT = Path(__file__).parents[2] / "app" / "static" / "scorm.js"
CP = {"1.2": "http://www.imsproject.org/xsd/imscp_rootv1p1p2", "2004": "http://www.imsglobal.org/xsd/imscp_v1p1"}
TYPE = {
    "1.2": "{http://www.adlnet.org/xsd/adlcp_rootv1p2}scormtype",
    "2004": "{http://www.adlnet.org/xsd/adlcp_v1p3}scormType",
}


@pytest.fixture(scope="module")
def packages():
    lesson = load_lesson(DOING)
    lesson.meta["title"] = "Scores & <weights>"
    return {version: scorm_package(lesson, version) for version in VERSIONS}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_manifest_leads_to_the_page_and_names_every_file(version, packages):
    zipped = ZipFile(io.BytesIO(packages[version]))
    assert zipped.testzip() is None
    manifest = ElementTree.fromstring(zipped.read("imsmanifest.xml"))

    def find(path):
        return manifest.findall(path, {"": CP[version]})

    assert manifest.tag == f"{{{CP[version]}}}manifest"
    assert manifest.get("identifier") == "attention-lessons-01-doing"
    assert find("metadata/schemaversion")[0].text == {"1.2": "1.2", "2004": "2004 3rd Edition"}[version]
    assert {title.text for title in find(".//title")} == {"Scores & <weights>"}
    (organizations,), (item,), (resource,) = find("organizations"), find(".//item"), find(".//resource")
    assert organizations.get("default") == find(".//organization")[0].get("identifier")
    assert item.get("identifierref") == resource.get("identifier")
    assert (resource.get(TYPE[version]), resource.get("type")) == ("sco", "webcontent")
    files = [file.get("href") for file in find(".//resource/file")]
    assert resource.get("href") in files
    assert sorted(zipped.namelist()) == sorted(["imsmanifest.xml", *files])


@pytest.mark.parametrize("version", VERSIONS)
def test_the_page_reports_in_its_version_and_asks_for_no_other_file(version, packages):
    page = ZipFile(io.BytesIO(packages[version])).read("index.html").decode()
    script = page.index(f'<script data-version="{version}">')
    assert script < page.index('<script type="importmap">') < page.index('<script type="module"')
    assert SCRIPT.read_text("utf-8") in page
    assert "<script src" not in page and 'rel="stylesheet"' not in page


def test_the_script_ends_no_element_and_never_asks_who_somebody_is():
    text = SCRIPT.read_text("utf-8")
    assert "</" not in text
    assert not [name for name in ("student", "learner_id", "learner_name") if name in text]


def test_the_same_lesson_gives_the_same_bytes(packages):
    lesson = load_lesson(DOING)
    lesson.meta["title"] = "Scores & <weights>"
    assert scorm_package(lesson, "1.2") == packages["1.2"]
    assert packages["1.2"] != packages["2004"]


def test_another_version_is_refused():
    with pytest.raises(ValueError, match=r"no SCORM version '1\.3'\. Use one of 1\.2, 2004"):
        scorm_package(load_lesson(DOING), "1.3")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_package_runs_our_scripts_and_no_others(version, packages):
    html = ZipFile(io.BytesIO(packages[version])).read("index.html").decode()
    page, _ = check_scripts(html)
    assert SCRIPT.read_text("utf-8") in page.scripts
