"""Covers: images, badges, barcodes and hardcovers."""

import re

import pytest
from helpers.samples.books import SMALL, figures, texts

from nando.books import Book, BookSpec, Cover, Design, Section, read_spec, rehearse
from nando.books.pages.cover import MODULE, modules
from nando.drawing.shapes import Disc, Placed, Rect

pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed (nando[test])")
pytest.importorskip("reportlab", reason="reportlab is not installed (nando[book])")
Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed (nando[book])")
pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

ISBN = "978-3-16-148410-0"
SPEC = {"title": "Evenings", "author": "Ada Example", "isbn": ISBN, "volume": 2}


def covered(trim="6x9", **cover):
    spec = BookSpec(**SPEC, cover=Cover(**cover), design=Design(trim=trim))
    return Book((Section("Night", tuple(SMALL[:4] * 40), 1),), spec)


def pdf_of(book, tmp_path):
    path = tmp_path / "cover.pdf"
    book.write_cover(path)
    (page,) = pypdf.PdfReader(path).pages
    return page


def written(tmp_path, size, mode="RGB", name="front.png"):
    path = tmp_path / name
    Image.linear_gradient("L").resize(size).convert(mode).save(path)
    return str(path)


@pytest.mark.parametrize("digits", ["9783161484100", "9790000000001", "4006381333931"])
def test_bars_are_those_of_another_program(digits):
    from reportlab.graphics.barcode.eanbc import Ean13BarcodeWidget
    from reportlab.graphics.shapes import Rect as Bar

    widget = Ean13BarcodeWidget(digits[:12], barWidth=1, quiet=0, humanReadable=0)
    bars = set()
    for bar in widget.draw().contents:
        if isinstance(bar, Bar) and bar.fillColor is not None:
            start = round(bar.x)
            bars |= set(range(start, start + round(bar.width)))
    found = {i for i, module in enumerate(modules(digits)) if module == "1"}
    assert len(modules(digits)) == 95
    assert found == {x - min(bars) for x in bars}


def test_series_badge_and_barcode_are_on_the_cover():
    book = covered(
        series="Trains, volume {volume}",
        badge="160 new puzzles",
        barcode="isbn",
        second_colour="#e0a030",
        paper="cream",
    )
    page = book.layout.cover
    said = list(texts(page, book.layout.style.typeface))
    where = {found.shape.text: found for found in said}
    (disc,) = [shape for shape in page.picture.shapes if isinstance(shape, Disc)]
    assert disc.fill == "#e0a030"
    front = page.picture.width - 6 * 72
    assert where["Trains, volume 2"].left > front
    assert where["Trains, volume 2"].bottom < where["Evenings"].top
    for word in ("160", "new", "puzzles"):
        found = where[word]
        assert (found.left - disc.x) ** 2 + (found.top - disc.y) ** 2 < disc.radius**2
        assert (found.right - disc.x) ** 2 + (found.bottom - disc.y) ** 2 < disc.radius**2
    box = page.picture.shapes[-2]
    assert isinstance(box, Rect)
    assert (box.width, box.height) == (144, pytest.approx(86.4))
    (bars,) = [f for f in figures(page) if f.shape.scale == MODULE]
    assert box.x < bars.left < bars.right < box.x + box.width
    assert box.y < bars.top < bars.bottom < box.y + box.height
    spine = next(s for s in page.picture.shapes if isinstance(s, Placed) and s.turn == 90)
    assert spine.picture.shapes[0].text == "Evenings · Trains, volume 2"


def test_a_hardcover_is_as_large_as_the_template_of_a_printer(tmp_path):
    # 6x9 with a spine of 0.421 inches: 13.996 x 10.417 inches.
    page = pdf_of(covered(binding="hardcover", spine=0.421 * 25.4), tmp_path)
    assert float(page.mediabox.width) / 72 == pytest.approx(13.996, abs=0.001)
    assert float(page.mediabox.height) / 72 == pytest.approx(10.417, abs=0.001)
    assert float(page.trimbox.left) == pytest.approx(15 / 25.4 * 72, abs=0.01)
    soft, hard = (covered(binding=b).layout.cover.picture for b in ("paperback", "hardcover"))
    assert hard.width - soft.width == pytest.approx((5 + 5 + 5) / 25.4 * 72)


def test_an_image_fills_the_front_in_four_inks(tmp_path):
    book = covered("4x5", image=written(tmp_path, (1238, 1575)))
    page = pdf_of(book, tmp_path)
    (found,) = (image.get_object() for image in page["/Resources"]["/XObject"].values())
    assert found["/ColorSpace"] in ("/DeviceCMYK", ["/DeviceCMYK"])
    (matrix,) = re.findall(
        rb"([\d.]+) 0 0 ([\d.]+) ([\d.]+) ([-\d.]+) cm\s*/FormXob", page.get_contents().get_data()
    )
    width, height, left, bottom = map(float, matrix)
    assert (width, height) == pytest.approx((4.125 * 72, 5.25 * 72), abs=0.01)
    assert left == pytest.approx(float(page.mediabox.width) - width, abs=0.01)
    assert bottom == pytest.approx(0, abs=0.01)
    assert "Evenings" in page.extract_text()
    first = (tmp_path / "cover.pdf").read_bytes()
    book.write_cover(tmp_path / "cover.pdf")
    assert (tmp_path / "cover.pdf").read_bytes() == first


@pytest.mark.thorough
def test_an_image_may_have_the_texts_of_the_front_or_lie_on_the_whole_cover(tmp_path):
    image = written(tmp_path, (1838, 2775), mode="RGBA")
    said = pdf_of(covered(image=image, front_text=False), tmp_path).extract_text()
    assert said.count("Evenings") == 1  # on the spine
    image = written(tmp_path, (4300, 2900), mode="CMYK", name="whole.tif")
    page = pdf_of(covered(image=image, image_area="whole"), tmp_path)
    (found,) = (image.get_object() for image in page["/Resources"]["/XObject"].values())
    # Cut at the sides, to the shape of the cover.
    assert found["/Height"] == 2900
    assert found["/Width"] / 2900 == pytest.approx(
        float(page.mediabox.width / page.mediabox.height), abs=0.001
    )


def test_images_become_inks_with_full_black_replacement():
    from nando.books.pages.cover import _in_inks
    from nando.drawing.colour import inks_of

    colours = [(255, 0, 0), (10, 20, 30), (0, 0, 0), (255, 255, 255), (200, 180, 20)]
    image = Image.new("RGB", (len(colours), 1))
    image.putdata(colours)
    for x, colour in enumerate(colours):
        wanted = [255 * ink for ink in inks_of("#{:02x}{:02x}{:02x}".format(*colour))]
        assert _in_inks(image, "#ffffff").getpixel((x, 0)) == pytest.approx(wanted, abs=1)
    clear = Image.new("RGBA", (1, 1), (0, 0, 0, 0))
    assert _in_inks(clear, "#ff0000").getpixel((0, 0)) == (0, 255, 255, 0)


@pytest.mark.parametrize(
    ("size", "message"),
    [
        (
            (619, 788),
            "has 619x788 pixels, 150 per inch on 4.12x5.25 inches with bleed; wanted 300: "
            "give an image of 1238x1575 pixels",
        ),
        ((1600, 1600), "of 1600x1600 pixels would lose 21% to fill 4.12x5.25 inches with bleed"),
        (None, "front.png: No such file or directory; wanted a .png"),
    ],
)
def test_images_that_would_print_badly_are_refused(size, message, tmp_path):
    path = tmp_path / "front.png" if size is None else written(tmp_path, size)
    with pytest.raises(ValueError, match=re.escape(message)):
        covered("4x5", image=str(path)).write_cover(tmp_path / "cover.pdf")
    assert not (tmp_path / "cover.pdf").exists()


def test_an_image_lies_next_to_the_file_that_describes_the_book(tmp_path):
    written(tmp_path, (100, 150))
    (tmp_path / "book.toml").write_text('[cover]\nimage = "front.png"\n[[parts]]\n')
    spec = read_spec(tmp_path / "book.toml")
    assert spec.cover.image == str(tmp_path / "front.png")
    with pytest.raises(ValueError, match="has 100x150 pixels"):
        rehearse(spec)
    (tmp_path / "front.png").write_text("no image")
    with pytest.raises(ValueError, match=re.escape("front.png: it is not a readable image")):
        rehearse(spec)


def test_the_barcode_needs_an_isbn():
    with pytest.raises(ValueError, match="barcode = 'isbn' needs the isbn of the book"):
        BookSpec(cover=Cover(barcode="isbn"))
