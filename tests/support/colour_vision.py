"""How colours look to an eye without one kind of cone, or in grey, and how far two of them are apart."""

import numpy as np

# Machado, Oliveira, Fernandes 2009, severity 1.0; for linear RGB. Grey is the luminance of sRGB.
VISION = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
    "grey": np.full((3, 3), 1.0) * [0.2126, 0.7152, 0.0722],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def lab(colour, vision="usual"):
    """CIE L*a*b* of ``#rrggbb`` as it is seen."""
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    t = TO_XYZ @ np.clip(VISION[vision] @ linear, 0, 1) / WHITE
    x, y, z = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(a, b, vision="usual"):
    """CIE 1976 difference of two colours as they are seen: about 2 is just seen, 10 at a glance."""
    return float(np.linalg.norm(lab(a, vision) - lab(b, vision)))
