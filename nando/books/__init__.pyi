from .book import Book as Book
from .book import Section as Section
from .book import read_book as read_book
from .book import sections_by_grade as sections_by_grade
