"""How the table of simplified and traditional Chinese characters is made that searches know."""
