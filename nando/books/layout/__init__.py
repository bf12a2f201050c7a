"""What pages are made with: sheets, styles, and the binder that collects them."""
