"""What a model knows, for people who study: suggest, explain, review, and the page.

Start reading at `opinion`: all others ask it.
"""
