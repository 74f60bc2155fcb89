"""What several tests in other programs share."""

import pytest
from scorm_page import DOING, Platform, install_runtime

from app.lessons import load_lesson
from app.scorm import VERSIONS, scorm_package


@pytest.fixture(scope="session")
def platform(tmp_path_factory):
    """A learning platform with a small lesson in both versions of SCORM."""
    with Platform(install_runtime(tmp_path_factory.mktemp("npm"))) as platform:
        for version in VERSIONS:
            platform.upload(version, scorm_package(load_lesson(DOING), version))
        yield platform
